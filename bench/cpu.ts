import { readFileSync, readdirSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second, whatever the kernel's own clock. */
const TICKS_PER_SECOND = 100;

/** CPU seconds that the process has used so far; NaN where the system doesn't tell. */
export function cpuSeconds(pid: number): number {
  return (processStat(pid)?.ticks ?? NaN) / TICKS_PER_SECOND;
}

/** The same of a process with its children: PostgreSQL's server processes, by their postmaster. */
export function cpuSecondsOfFamily(parent: number): number {
  const family = processIds().flatMap((pid) => {
    const stat = processStat(pid);
    if (pid === parent) return stat === undefined ? [] : [stat.ticks + stat.endedChildrenTicks];
    return stat?.parent === parent ? [stat.ticks] : [];
  });
  return family.length === 0 ? NaN : family.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND;
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isSafeInteger);
  } catch {
    return [];
  }
}

function processStat(pid: number): { parent: number; ticks: number; endedChildrenTicks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    // The second field is the program's name in brackets, which may hold spaces and brackets itself.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const sum = (first: number): number => Number(fields[first]) + Number(fields[first + 1]);
    return { parent: Number(fields[1]), ticks: sum(11), endedChildrenTicks: sum(13) };
  } catch {
    return undefined;
  }
}
