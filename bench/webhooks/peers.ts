import { verdict } from '../report.ts';

/**
 * The peers on the same harness and machine, on another day (shared/design/targets.md, 2026-11-21): constants, not measured
 * here. Outpost, Svix, Convoy.
 */
export const PEERS = {
  accepted: ['1,489', '1,135', '564'],
  delivered: ['1,463', '1,134', '210'],
  deliveredMany: ['1,705', '983', '-'],
  arrival: ['24 / 49 / 51', '0.54 / 1.4 / 3.9', '969 / 1,782 / 2,075'],
  sent: ['26 / 54', '3.6 / 13', '972 / 2,081'],
  retryFirst: ['30,000', '1,380', '-'],
  retrySecond: ['60', '2,080', '-'],
  healthy: ['14,900 / 29,500', '14,900 / 29,200', '64,800 / 70,400'],
  killed: ['0 / 0–5 / 0.5–4', '0 / 17–22 / 11–12', '2 / 2 / 150'],
  memory: ['90 + brokers', '47 + Redis', '235 + Redis'],
  none: ['-', '-', '-'],
} as const;

export const PEER_COLUMNS = ['Outpost*', 'Svix*', 'Convoy*'];
export const PEER_NOTE =
  '* reference constants of 2026-11-21 (shared/design/targets.md): same harness, not measured in this run';

/** Target and verdict columns: each figure at most its target. */
export function atMost(figures: readonly number[], targets: readonly number[], shown?: string): string[] {
  const isReached = figures.every((value, index) => value <= (targets[index] ?? Infinity));
  return [`≤ ${shown ?? targets.join(' / ')}`, verdict(isReached)];
}
