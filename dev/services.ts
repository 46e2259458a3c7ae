import { join } from 'node:path';
import { lastWords, startChild } from './child.ts';
import type { ReadyMessage } from './child.ts';
import { shortLogLine } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { lastLines } from './files.ts';
import { startPostgres } from './postgres.ts';
import type { RunningPostgres } from './postgres.ts';
import type { Settings } from './settings.ts';
import type { StartService } from './supervisor.ts';
import { startTemporal } from './temporal.ts';
import type { RunningTemporal } from './temporal.ts';

export interface ServiceContext {
  settings: Settings;
  terminal: Terminal;
}

/** The first start chooses the port where it may; a restart keeps it, since the others have the address. */
export interface Found<T> {
  value?: T;
}

export function postgresService({ settings }: ServiceContext, found: Found<RunningPostgres>): StartService {
  return async (register) => {
    const postgres = await startPostgres({ varDir: settings.varDir, port: found.value?.port ?? settings.pgPort });
    found.value = postgres;
    register({
      pid: postgres.pid,
      exited: postgres.exited.then(() => undefined),
      stop: () => postgres.stop(),
      kill: () => {
        signal(postgres.pid, 'SIGQUIT');
      },
      epitaph: () => logEpitaph(settings.varDir, 'postgres'),
    });
  };
}

export function temporalService({ settings, terminal }: ServiceContext, found: Found<RunningTemporal>): StartService {
  return async (register) => {
    const temporal = await startTemporal({
      varDir: settings.varDir,
      port: found.value?.port ?? settings.temporalPort,
      uiPort: found.value?.uiPort ?? settings.temporalUiPort,
      log: (line) => {
        terminal.line(`  ${line}`);
      },
    });
    found.value = temporal;
    register({
      pid: temporal.pid,
      exited: temporal.exited.then(() => undefined),
      stop: () => temporal.stop(),
      kill: () => {
        signal(temporal.pid, 'SIGKILL');
      },
      epitaph: () => logEpitaph(settings.varDir, 'temporal'),
    });
  };
}

export interface ProcessSpec {
  name: string;
  script: string;
  args?: readonly string[];
  nodeArgs?: readonly string[];
  env: NodeJS.ProcessEnv;
  /** How long it may take to finish what it has begun. */
  stopMs: number;
  showOutput?: boolean;
}

/** One of the platform's own processes. */
export function processService(
  { settings, terminal }: ServiceContext,
  spec: ProcessSpec,
  found: Found<ReadyMessage>,
): StartService {
  return async (register) => {
    const { stopMs, script, ...rest } = spec;
    const child = startChild({
      ...rest,
      script: join(settings.root, script),
      cwd: settings.root,
      varDir: settings.varDir,
      terminal,
    });
    register({
      pid: child.pid,
      exited: child.exited,
      stop: () => child.stop(stopMs),
      kill: child.kill,
      epitaph: () => lastWords(child.lastLines(), child.logFile),
    });
    found.value = await child.ready;
  };
}

function logEpitaph(varDir: string, name: string): string {
  const path = join(varDir, 'log', `${name}.log`);
  const lines = lastLines(path, 6).map((line) => shortLogLine(line) ?? line);
  return lastWords(lines, path);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    if (pid > 0) process.kill(pid, name);
  } catch {
    // It is gone already.
  }
}
