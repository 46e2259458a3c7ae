import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Terminal } from './terminal.ts';
import { checkedSettings } from './check-settings.ts';
import { StartError, messageOf } from './errors.ts';
import { acquireLock } from './lock.ts';
import type { Lock } from './lock.ts';
import type { Settings } from './settings.ts';
import { Stack } from './stack.ts';
import type { StackAddresses } from './stack.ts';
import { readyFile, tourText, writeReadyFile } from './tour.ts';
import { makeVarDir } from './var-dir.ts';

const PARENT_CHECK_MS = 250;
const SAME_SIGNAL_MS = 500;

const terminal = new Terminal((line) => process.stdout.write(`${line}\n`));

// The reader of the output may go away (a closed terminal, `| head`); that is no reason to end.
process.stdout.on('error', () => undefined);

/** One `npm start`. */
interface Session {
  settings: Settings;
  stack: Stack;
  lock: Lock;
  /** Once everything runs. */
  ready?: { addresses: StackAddresses; seconds: number };
}

/** `npm start`: the whole platform on this machine, until Ctrl-C. */
async function main(): Promise<void> {
  // Documents, databases and logs are for this user only; the services inherit it.
  process.umask(0o077);
  const settings = checkedSettings(process.argv.slice(2), process.env);
  makeVarDir(settings);
  const lock = await lockVarDir(settings);
  // Of an earlier stack that was killed: whoever waits for the file must not find that one's addresses.
  rmSync(readyFile(settings), { force: true });
  const stack = new Stack(settings, terminal, {
    onRestarted: () => {
      announce(session);
    },
    onGivenUp: (message) =>
      void shutDown(session, 1, `\n${message}\nThe platform can't run without it: stopping everything.`),
  });
  const session: Session = { settings, stack, lock };
  onStopSignal(session);
  terminal.line('Starting Business Platform');
  try {
    const addresses = await stack.start();
    if (ending) return;
    // process.uptime() counts from the start of the process, loading included.
    const seconds = process.uptime();
    session.ready = { addresses, seconds };
    writeReadyFile(settings, addresses, stack.pids(), seconds);
    terminal.line(tourText(settings, addresses));
    terminal.line(`\nReady in ${seconds.toFixed(1)} s`);
  } catch (error) {
    await shutDown(session, 1, `\n${messageOf(error)}`);
  }
}

/** `ready.json` anew, with the processes of now. A full disk is no reason to end what runs. */
function announce({ settings, stack, ready }: Session): void {
  if (ready === undefined || ending) return;
  try {
    writeReadyFile(settings, ready.addresses, stack.pids(), ready.seconds);
  } catch (error) {
    terminal.line(`${readyFile(settings)} could not be written: ${messageOf(error)}`);
  }
}

async function lockVarDir(settings: Settings): Promise<Lock> {
  const lock = await acquireLock(join(settings.varDir, 'stack.lock'));
  if (!('heldBy' in lock)) return lock;
  throw new StartError(
    `Another stack runs on ${settings.varDir} (process ${String(lock.heldBy.pid)}; its addresses are in ${readyFile(settings)}).\n` +
      'Stop that one, or start this one beside it: VAR_DIR=var/second API_PORT=0 PG_PORT=0 TEMPORAL_PORT=0 TEMPORAL_UI_PORT=0 npm start',
  );
}

let ending = false;

function onStopSignal(session: Session): void {
  let firstAt = 0;
  const stop = (): void => {
    if (!ending) {
      firstAt = performance.now();
      terminal.line('\nStopping (again to kill)');
      void shutDown(session, 0);
      return;
    }
    // npm passes Ctrl-C on to us, who have it from the terminal already: that is not a second one.
    if (performance.now() - firstAt < SAME_SIGNAL_MS) return;
    terminal.line('Killed.');
    session.stack.kill();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  whenNpmIsGone(stop);
  // A bug of ours must not leave the services behind without anyone to stop them.
  process.on('uncaughtException', (error) => void shutDown(session, 1, error.stack ?? error.message));
}

/**
 * npm passes SIGTERM on to the shell between it and us, which dies of it and passes nothing on: then our parent is
 * another one. Without npm (`node dev/start.ts &`) a parent may well go first.
 */
function whenNpmIsGone(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    if (!ending) stop();
  }, PARENT_CHECK_MS);
  watch.unref();
}

/** Ends it all once, whoever asks first: a signal, a failed start, or a service that can't be kept alive. */
async function shutDown({ settings, stack, lock, ready }: Session, exitCode: number, message?: string): Promise<void> {
  if (ending) return;
  ending = true;
  if (message !== undefined) terminal.line(message);
  rmSync(readyFile(settings), { force: true });
  const started = performance.now();
  await stack.stop();
  lock.release();
  // A start that failed has said so, and nothing that ran has ended.
  if (exitCode === 0 || ready !== undefined)
    terminal.line(`Stopped in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  process.exit(exitCode);
}

try {
  await main();
} catch (error) {
  terminal.error(error);
  process.exit(1);
}
