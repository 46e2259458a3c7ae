import type { Socket } from 'node:net';
import pg from 'pg';
import type { ClientBase, QueryResultRow } from 'pg';
import utils from 'pg/lib/utils.js';
import type { Statement } from './statement.ts';

/** A statement and its parameters. */
export type Step = readonly [statement: Statement, values?: readonly unknown[]];

/** What one statement of a packet answered. */
export interface StepResult<R extends QueryResultRow = QueryResultRow> {
  rows: R[];
  /** Its command tag: `SELECT`, `INSERT`, `COMMIT`, `ROLLBACK` … */
  command: string;
}

/**
 * Sends prepared statements as one packet with one Sync: PostgreSQL runs them in one go, and outside a transaction block
 * as one transaction of their own (manual, "Extended Query", pipelining). Answers with the result of each; when one
 * fails, those after it aren't run. Beside the round trips it spares the driver's describing a statement for each run.
 */
export async function sendPacket(client: ClientBase, steps: readonly Step[]): Promise<StepResult[]> {
  const { results, error } = await sendPacketUntilError(client, steps);
  if (error !== null) throw error;
  return results;
}

/** The same; answers what the statements before the one that failed answered, beside its error. */
export function sendPacketUntilError(
  client: ClientBase,
  steps: readonly Step[],
): Promise<{ results: StepResult[]; error: Error | null }> {
  return new Promise((resolve) => {
    client.query(
      new Packet(steps, (error, results) => {
        resolve({ results, error });
      }) as unknown as pg.Submittable,
    );
  });
}

/** The driver's connection, as far as it is used here; its types leave it out. */
interface Wire {
  stream: Socket;
  /** Names of the statements that this connection has prepared, by the driver's queries too. */
  parsedStatements: Record<string, string | undefined>;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly (string | Buffer | null)[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: { rows: number }): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

type ParseText = (text: string) => unknown;

// Typed for the built-in types only; a table's own types have other numbers.
const textParserOf = pg.types.getTypeParser as unknown as (typeId: number) => ParseText;

/** The columns of a statement's rows, and how each is read. */
interface RowShape {
  names: readonly string[];
  parsers: readonly ParseText[];
}

const NO_ROWS: RowShape = { names: [], parsers: [] };

/** What was learnt of each connection's prepared statements. It holds as long as the statement: a changed type is an error. */
const shapesOf = new WeakMap<Wire, Map<string, RowShape>>();

type Callback = (error: Error | null, results: StepResult[]) => void;

class Packet {
  readonly callback: Callback;
  readonly #steps: readonly Step[];
  /** Of the steps that are completed. */
  readonly #results: StepResult[] = [];
  /** How the rows of each step are read, where that was known when it was sent. */
  readonly #shapes: (RowShape | undefined)[] = [];
  /** Names that this packet prepares. */
  readonly #parsed: string[] = [];
  #rows: QueryResultRow[] = [];
  /** A row that could not be read, and the step whose it was. */
  #unread: { error: Error; step: number } | undefined;

  constructor(steps: readonly Step[], callback: Callback) {
    this.#steps = steps;
    this.callback = callback;
  }

  submit(wire: Wire): Error | null {
    let bound: (string | Buffer | null)[][];
    try {
      bound = this.#steps.map(([, values = []]) => values.map((value) => utils.prepareValue(value)));
    } catch (error) {
      return error as Error;
    }
    corkForThisTick(wire.stream);
    const shapes = knownShapes(wire);
    for (const [index, [statement]] of this.#steps.entries()) {
      const shape = statement.name === '' ? undefined : shapes.get(statement.name);
      this.#shapes.push(shape);
      this.#send(wire, statement, bound[index] ?? [], shape === undefined);
    }
    wire.sync();
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#shapes[this.#results.length] = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => textParserOf(dataTypeID)),
    };
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#unread !== undefined) return;
    try {
      this.#rows.push(rowOf(fields, this.#shapes[this.#results.length] ?? NO_ROWS));
    } catch (error) {
      this.#unread = { error: error as Error, step: this.#results.length };
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const end = text.indexOf(' ');
    this.#results.push({ rows: this.#rows, command: end === -1 ? text : text.slice(0, end) });
    this.#rows = [];
  }

  handleReadyForQuery(wire: Wire): void {
    const shapes = knownShapes(wire);
    for (const [index, [{ name }]] of this.#steps.entries()) {
      if (name !== '') shapes.set(name, this.#shapes[index] ?? NO_ROWS);
    }
    this.#answer(null);
  }

  handleError(error: Error, wire: Wire): void {
    // Whether they were prepared is not known; the next use prepares them anew, after a Close that covers both cases.
    for (const name of this.#parsed) Reflect.deleteProperty(wire.parsedStatements, name);
    this.#answer(error);
  }

  /** From the step on whose row could not be read nothing was answered: its rows, and those of the steps behind it, are not all here. */
  #answer(error: Error | null): void {
    if (this.#unread === undefined) this.callback(error, this.#results);
    else this.callback(this.#unread.error, this.#results.slice(0, this.#unread.step));
  }

  #send(
    wire: Wire,
    { name, text }: Statement,
    values: readonly (string | Buffer | null)[],
    isShapeUnknown: boolean,
  ): void {
    if (name === '') wire.parse({ name, text });
    else if (wire.parsedStatements[name] === undefined) {
      wire.close({ type: 'S', name });
      wire.parse({ name, text });
      wire.parsedStatements[name] = text;
      this.#parsed.push(name);
    }
    wire.bind({ statement: name, values });
    if (isShapeUnknown) wire.describe({ type: 'P', name: '' });
    wire.execute({ rows: 0 });
  }
}

// In pipeline mode the driver takes no custom query but a kind of its own. Nothing of the base class' doing is left, so
// its constructor, which copies a configuration, isn't called.
Object.setPrototypeOf(Packet.prototype, pg.Query.prototype as object);

/** All packets that are sent before the event loop goes on leave in one write. */
function corkForThisTick(stream: Socket): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => {
    stream.uncork();
  });
}

function knownShapes(wire: Wire): Map<string, RowShape> {
  let shapes = shapesOf.get(wire);
  if (shapes === undefined) {
    shapes = new Map();
    shapesOf.set(wire, shapes);
  }
  return shapes;
}

function rowOf(fields: readonly (string | null)[], { names, parsers }: RowShape): QueryResultRow {
  const row: QueryResultRow = {};
  for (let index = 0; index < names.length; index += 1) {
    const field = fields[index] ?? null;
    row[names[index] as string] = field === null ? null : parsers[index]?.(field);
  }
  return row;
}
