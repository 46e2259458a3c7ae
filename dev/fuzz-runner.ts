import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './errors.ts';
import { runCommand } from './processes.ts';

const PACKAGE = 'schemathesis>=4.32,<5';
const INSTALL_MS = 300_000;

/** A program and the arguments that come before those of schemathesis. */
export interface Runner {
  program: string;
  args: string[];
}

/** Schemathesis as it is at hand: the environment of an earlier run, uvx, pipx, or an environment made now in `folder`. */
export async function findSchemathesis(folder: string): Promise<Runner> {
  const made = join(folder, 'venv', 'bin', 'schemathesis');
  if (existsSync(made)) return { program: made, args: [] };
  if (await runs('uvx')) return { program: 'uvx', args: ['--from', PACKAGE, 'schemathesis'] };
  if (await runs('pipx')) return { program: 'pipx', args: ['run', '--spec', PACKAGE, 'schemathesis'] };
  const python = await firstThatRuns(['python3', 'python']);
  if (python === undefined) {
    throw new StartError(
      'npm run fuzz needs schemathesis, a Python program: install uv (https://docs.astral.sh/uv), pipx, or Python 3.10 or newer.',
    );
  }
  await install(python, join(folder, 'venv'));
  return { program: made, args: [] };
}

async function install(python: string, venv: string): Promise<void> {
  const steps: [string, string[]][] = [
    [python, ['-m', 'venv', venv]],
    [join(venv, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', PACKAGE]],
  ];
  for (const [program, args] of steps) {
    const { code, stderr } = await runCommand(program, args, { timeoutMs: INSTALL_MS });
    if (code === 0) continue;
    throw new StartError(`${[program, ...args].join(' ')} failed:\n${stderr.trim().split('\n').slice(-8).join('\n')}`);
  }
}

async function firstThatRuns(programs: readonly string[]): Promise<string | undefined> {
  for (const program of programs) if (await runs(program)) return program;
  return undefined;
}

async function runs(program: string): Promise<boolean> {
  return (await runCommand(program, ['--version'])).code === 0;
}
