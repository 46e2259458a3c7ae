import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Terminal } from './terminal.ts';
import { isLogEntry, shortLogLine } from './terminal.ts';
import { StartError } from './errors.ts';
import { logPath } from './files.ts';
import { stopProcess } from './processes.ts';

export interface ChildOptions {
  /** Name on the terminal and of the log file. */
  name: string;
  script: string;
  args?: readonly string[];
  /** Options of Node itself. */
  nodeArgs?: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  varDir: string;
  terminal: Terminal;
  /** Shows each line it writes, not only warnings. */
  showOutput?: boolean;
}

export type ReadyMessage = Record<string, unknown>;

export interface Child {
  name: string;
  pid: number;
  logFile: string;
  /** What it sent with `{ type: 'ready' }`; fails when it ends before that or takes too long. */
  ready: Promise<ReadyMessage>;
  /** How it ended, once it has. */
  exited: Promise<string>;
  lastLines(): string[];
  /** SIGTERM, and SIGKILL when it isn't gone in time. */
  stop(waitMs: number): Promise<void>;
  kill: () => void;
}

const READY_TIMEOUT_MS = 90_000;
const KEPT_LINES = 12;

/** Forks one of the platform's processes with an IPC channel; its output goes to its log file. */
export function startChild(options: ChildOptions): Child {
  const logFile = logPath(options.varDir, options.name);
  const child = fork(options.script, [...(options.args ?? [])], {
    cwd: options.cwd,
    env: options.env,
    execArgv: [...(options.nodeArgs ?? [])],
    // A group of its own: Ctrl-C reaches this process alone, which stops the others in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const kept = collectOutput(child, logFile, options);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      resolve(`could not be run: ${error.message}`);
    });
    // 'close' comes after the last line of output, 'exit' may come before.
    child.once('close', (code, signal) => {
      resolve(signal === null ? `exit code ${String(code)}` : `signal ${signal}`);
    });
  });
  const pid = child.pid ?? -1;
  return {
    name: options.name,
    pid,
    logFile,
    ready: whenReady(child, exited, options.name, () => kept, logFile),
    exited,
    lastLines: () => [...kept],
    stop: (waitMs) =>
      stopProcess(pid, [
        { signal: 'SIGTERM', waitMs },
        { signal: 'SIGKILL', waitMs: 5_000 },
      ]),
    kill: () => child.kill('SIGKILL'),
  };
}

function collectOutput(child: ChildProcess, logFile: string, options: ChildOptions): string[] {
  const log = createWriteStream(logFile, { flags: 'a', mode: 0o640 });
  const kept: string[] = [];
  const take = (line: string, isError: boolean): void => {
    log.write(`${line}\n`);
    if (line.trim() === '') return;
    kept.push(shortLogLine(line) ?? line.slice(0, 400));
    if (kept.length > KEPT_LINES) kept.shift();
    const shown = shownForm(line, isError, options.showOutput ?? false);
    if (shown !== undefined) options.terminal.child(options.name, shown, logFile);
  };
  for (const [stream, isError] of [
    [child.stdout, false],
    [child.stderr, true],
  ] as const) {
    if (stream !== null)
      createInterface({ input: stream }).on('line', (line) => {
        take(line, isError);
      });
  }
  child.once('close', () => log.end());
  return kept;
}

function shownForm(line: string, isError: boolean, showOutput: boolean): string | undefined {
  if (isLogEntry(line)) return shortLogLine(line);
  return isError || showOutput ? line : undefined;
}

function whenReady(
  child: ChildProcess,
  exited: Promise<string>,
  name: string,
  lines: () => string[],
  logFile: string,
): Promise<ReadyMessage> {
  const ready = new Promise<ReadyMessage>((resolve, reject) => {
    const fail = (what: string): void => {
      reject(new StartError(`${name} ${what}. ${lastWords(lines(), logFile)}`));
    };
    const timer = setTimeout(() => {
      fail(`was not ready within ${String(READY_TIMEOUT_MS / 1000)} s`);
    }, READY_TIMEOUT_MS);
    child.on('message', (message) => {
      if (typeof message !== 'object' || !('type' in message) || message.type !== 'ready') return;
      clearTimeout(timer);
      resolve({ ...message });
    });
    void exited.then((how) => {
      clearTimeout(timer);
      fail(`ended before it was ready (${how})`);
    });
  });
  // Whoever awaits it hears of a failure; a child that is stopped early has nobody left who does.
  ready.catch(() => undefined);
  return ready;
}

/** The end of a process's output, for the message about its death. */
export function lastWords(lines: readonly string[], logFile: string): string {
  const said = lines.slice(-6).map((line) => `  ${line}`);
  return said.length === 0
    ? `It said nothing (log: ${logFile}).`
    : `Its last lines (all in ${logFile}):\n${said.join('\n')}`;
}
