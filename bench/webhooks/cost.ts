import { Client, Connection } from '@temporalio/client';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { burst, steady } from '../publisher.ts';
import { printTable } from '../report.ts';
import { EVENT, publisherOf, subscribed, warmUp } from './scene.ts';
import type { Scene } from './scene.ts';

interface Statements {
  /** By the role that ran them: `app` is the API for its tenants, `system` the relay (and the API's NOTIFY and look-ups). */
  app: number;
  system: number;
  /** Commits with a flush of their own are what a delivery costs most; the relay's bookkeeping needs none. */
  commits: number;
}

/** What a delivery costs: PostgreSQL's statements, counted in its own log, and Temporal's history events. */
export async function benchCost(scene: Scene): Promise<void> {
  const { options } = scene;
  const publish = publisherOf(scene, await subscribed(scene, [EVENT]), 'POST /events');
  await warmUp(scene, publish);
  const events = options.isQuick ? 500 : 2_000;
  const before = await workflows(scene);
  const idle = await counted(scene, () => sleep(5_000));
  const rows = [
    statementRow(
      'one at a time (10/s)',
      100,
      await counted(scene, async () => {
        await scene.sink.ask('reset');
        await steady(publish, 10, 10);
        await scene.sink.until(100);
        await sleep(500);
      }),
      { ...idle, seconds: 10.5 / 5 },
    ),
    statementRow(
      `burst of ${String(events)}`,
      events,
      await counted(scene, async () => {
        await scene.sink.ask('reset');
        await burst(publish, events, options.connections);
        await scene.sink.until(events);
        await sleep(500);
      }),
      { ...idle, seconds: 0 },
    ),
  ];
  printTable(
    ['PostgreSQL statements for each delivery, event included', 'API (app)', 'relay (system)', 'commits'],
    rows,
  );
  const after = await workflows(scene);
  console.log(`Temporal workflows for these first successes: ${String(after.count - before.count)}`);
  await retried(scene);
}

function statementRow(
  name: string,
  events: number,
  { app, system, commits }: Statements,
  idle: Statements & { seconds: number },
): string[] {
  const each = (all: number, whenIdle: number): string => ((all - whenIdle * idle.seconds) / events).toFixed(2);
  return [name, each(app, idle.app), each(system, idle.system), each(commits, idle.commits)];
}

/** Switches PostgreSQL's statement log on for the length of `work`, and counts what it holds. */
async function counted({ stack }: Scene, work: () => Promise<unknown>): Promise<Statements> {
  const client = new pg.Client({ connectionString: stack.superuserUrl });
  await client.connect();
  try {
    const log = async (what: string): Promise<void> => {
      await client.query(`alter system set log_statement = '${what}'`);
      await client.query('select pg_reload_conf()');
      await sleep(500);
    };
    await log('all');
    const from = sizeOf(stack.postgresLog);
    await work();
    const text = textFrom(stack.postgresLog, from);
    await log('none');
    const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
    return {
      app: count(/ app@\S+ LOG: {2}(?:execute|statement)/g),
      system: count(/ system@\S+ LOG: {2}(?:execute|statement)/g),
      commits: count(/LOG: {2}(?:execute \S+|statement): commit/gi),
    };
  } finally {
    await client.end();
  }
}

function sizeOf(path: string): number {
  const fd = openSync(path, 'r');
  try {
    return fstatSync(fd).size;
  } finally {
    closeSync(fd);
  }
}

function textFrom(path: string, from: number): string {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(fstatSync(fd).size - from);
    readSync(fd, bytes, 0, bytes.length, from);
    return bytes.toString('utf8');
  } finally {
    closeSync(fd);
  }
}

/** Workflows of retried deliveries that Temporal knows, and the events of all their histories. */
async function workflows({ stack }: Scene): Promise<{ count: number; historyEvents: number }> {
  const connection = await Connection.connect({ address: stack.temporalAddress });
  try {
    const client = new Client({ connection });
    let [count, historyEvents] = [0, 0];
    for await (const { historyLength } of client.workflow.list({ query: `WorkflowType = 'deliverWebhook'` })) {
      count += 1;
      historyEvents += historyLength;
    }
    return { count, historyEvents };
  } finally {
    await connection.close();
  }
}

const RETRIED = 10;

/** Deliveries that succeed at the third send. */
async function retried(scene: Scene): Promise<void> {
  const { sink } = scene;
  const before = await workflows(scene);
  const publish = publisherOf(scene, await subscribed(scene, [EVENT], ['/third']), 'POST /events');
  await sink.ask('reset');
  for (let n = 0; n < RETRIED; n += 1) await publish(n);
  await sink.until(RETRIED, 30_000);
  // Until the workflows have ended, and Temporal's list knows of it.
  await sleep(3_000);
  const after = await workflows(scene);
  const [count, events] = [after.count - before.count, after.historyEvents - before.historyEvents];
  console.log(
    `Temporal history events for a delivery that succeeds at its third send: ${(events / count).toFixed(1)} (${String(count)} workflows)`,
  );
}
