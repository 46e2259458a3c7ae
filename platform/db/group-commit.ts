import { keepingLogContext } from '../log.ts';
import { DatabaseUnavailableError, sqlState } from './errors.ts';
import { JoinedTransaction } from './joined-transaction.ts';
import type { TenantTransaction } from './transaction.ts';

/** Runs `work` in a transaction of its own. */
type Transact = <T>(clientId: number, work: (tx: TenantTransaction) => Promise<T>) => Promise<T>;

interface Member {
  work: (tx: TenantTransaction) => Promise<unknown>;
  /** Members of the same name are never in one group. */
  apart: string | undefined;
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
}

interface Queue {
  waiting: Member[];
  /** Groups under way that the next one waits for. */
  blocking: number;
  /** All groups under way. */
  running: number;
}

const MAX_MEMBERS = 100;
/** A group that takes longer (one of its statements waits for a lock) is no longer waited for. */
const PATIENCE_MS = 25;
/** Groups of one tenant at a time, so that it can't take the whole pool. */
const MAX_RUNNING = 4;

/** A work failed that had changed something already: what the others did can't be told from it. */
class BrokenGroupError extends Error {
  override readonly name = 'BrokenGroupError';
}

/**
 * Joins works of one tenant that arrive while another group of its is being committed into one transaction: one flush of
 * the log for all of them. With nothing under way a work starts at once, so joining costs no wait.
 *
 * Nobody is answered before the commit. A work that fails before it changed anything is left out; after any other failure
 * the transaction is undone and each work is run again in one of its own, so that nobody fails for another.
 */
export class GroupCommit {
  readonly #transact: Transact;
  readonly #queues = new Map<number, Queue>();

  constructor(transact: Transact) {
    this.#transact = transact;
  }

  run<T>(clientId: number, work: (tx: TenantTransaction) => Promise<T>, apart?: string): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let queue = this.#queues.get(clientId);
      if (queue === undefined) {
        queue = { waiting: [], blocking: 0, running: 0 };
        this.#queues.set(clientId, queue);
      }
      // Each work logs as its own request does, whichever request's turn runs the group. Not by AsyncLocalStorage.bind: what
      // that makes is dear, and keeps requests that have ended alive until the next full collection.
      queue.waiting.push({ work: keepingLogContext(work), apart, resolve, reject });
      this.#next(clientId, queue);
    });
  }

  #next(clientId: number, queue: Queue): void {
    if (queue.waiting.length === 0) {
      if (queue.running === 0) this.#queues.delete(clientId);
      return;
    }
    if (queue.blocking > 0 || queue.running >= MAX_RUNNING) return;
    const members = takeGroup(queue.waiting);
    queue.running += 1;
    queue.blocking += 1;
    const release = once(() => {
      queue.blocking -= 1;
    });
    const timer = setTimeout(() => {
      release();
      this.#next(clientId, queue);
    }, PATIENCE_MS);
    void this.#commit(clientId, members).finally(() => {
      clearTimeout(timer);
      release();
      queue.running -= 1;
      this.#next(clientId, queue);
    });
  }

  async #commit(clientId: number, members: readonly Member[]): Promise<void> {
    const [first] = members;
    if (members.length === 1 && first !== undefined) {
      await this.#alone(clientId, first);
      return;
    }
    try {
      const settled = await this.#transact(clientId, (tx) => runTogether(tx, members));
      for (const [index, { resolve, reject }] of members.entries()) {
        const result = settled[index];
        if (result?.status === 'fulfilled') resolve(result.value as never);
        else reject(result?.reason);
      }
    } catch (error) {
      if (isUndone(error)) await Promise.all(members.map((member) => this.#alone(clientId, member)));
      // Whether it was committed is not known: to run it again could do it twice.
      else for (const { reject } of members) reject(error);
    }
  }

  #alone(clientId: number, { work, resolve, reject }: Member): Promise<void> {
    return this.#transact(clientId, work).then(resolve as (value: unknown) => void, reject);
  }
}

async function runTogether(
  tx: TenantTransaction,
  members: readonly Member[],
): Promise<PromiseSettledResult<unknown>[]> {
  const parts = members.map(() => new JoinedTransaction(tx));
  const settled = await Promise.allSettled(parts.map((part, index) => begin(members[index], part)));
  const isBroken = parts.some((part, index) => settled[index]?.status === 'rejected' && part.isMarked);
  if (isBroken) throw new BrokenGroupError('a member failed after it had changed something');
  for (const [index, part] of parts.entries()) if (settled[index]?.status === 'fulfilled') part.finish();
  return settled;
}

/** A work that throws before its first wait must not keep the others from theirs. */
async function begin(member: Member | undefined, part: JoinedTransaction): Promise<unknown> {
  return member?.work(part);
}

/** The next members, in their order; those that must stay apart from one of them stay where they are. */
function takeGroup(waiting: Member[]): Member[] {
  const names = new Set<string>();
  const taken: Member[] = [];
  const left: Member[] = [];
  for (const member of waiting.splice(0)) {
    const { apart } = member;
    if (taken.length >= MAX_MEMBERS || (apart !== undefined && names.has(apart))) left.push(member);
    else {
      taken.push(member);
      if (apart !== undefined) names.add(apart);
    }
  }
  waiting.push(...left);
  return taken;
}

/** Whether PostgreSQL has said that the transaction is no more. */
function isUndone(error: unknown): boolean {
  if (error instanceof BrokenGroupError) return true;
  if (error instanceof DatabaseUnavailableError) return false;
  return sqlState(error) !== undefined || sqlState((error as Error | undefined)?.cause) !== undefined;
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
