import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { computations } from './compute/computations.ts';
import { Computer } from './compute/computer.ts';
import type { EInvoice } from './einvoice/types.ts';
import { checkBytes } from './load/check.ts';
import { defaultLimits } from './load/limits.ts';
import { ChildPool } from './pool/pool.ts';
import type { CropResult, DocumentEngine, DocumentInfo, EngineOptions, PageText } from './types.ts';

const CHILD_SCRIPT = fileURLToPath(new URL('./child.ts', import.meta.url));
const DEFAULT_MEMORY_LIMIT_MB = 900;
const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_RECYCLE_AFTER = 250;

export function createDocumentEngine(options: EngineOptions = {}): DocumentEngine {
  const cores = availableParallelism();
  // Children × threads never exceed the cores: threads that wait for each other's core are slower than fewer of them.
  const processes = options.processes ?? Math.max(1, Math.floor(cores / 2));
  const memoryLimitMb = options.memoryLimitMb ?? DEFAULT_MEMORY_LIMIT_MB;
  const log = options.log ?? (() => undefined);
  const pool = new ChildPool({
    script: CHILD_SCRIPT,
    size: processes,
    threads: options.threads ?? Math.max(1, Math.floor(cores / processes)),
    reader: options.reader,
    memoryLimitMb,
    timeoutMs: options.pageTimeoutMs ?? DEFAULT_TIMEOUT_MS,
    recycleAfter: options.recycleAfter ?? DEFAULT_RECYCLE_AFTER,
    log,
  });
  const computer = new Computer({
    // Readers need the cores more often: large computations are rare.
    processes: Math.max(1, Math.floor(processes / 2)),
    memoryLimitMb,
    largestInline: options.largestInline,
    timeoutMs: options.computeTimeoutMs,
    log,
  });
  return {
    async inspect(bytes, limits = {}) {
      checkBytes(bytes, { ...defaultLimits, ...limits });
      return (await pool.run({ kind: 'inspect', bytes, limits })) as DocumentInfo;
    },
    async readPage(bytes, page, { language, signal } = {}) {
      checkBytes(bytes, defaultLimits);
      const hint = language === undefined ? {} : { language };
      return (await pool.run({ kind: 'read', bytes, page, ...hint }, signal)) as PageText;
    },
    async readEInvoice(bytes, signal) {
      checkBytes(bytes, defaultLimits);
      return (await pool.run({ kind: 'einvoice', bytes }, signal)) as EInvoice | undefined;
    },
    async crop(bytes, page = 1, { signal } = {}) {
      checkBytes(bytes, defaultLimits);
      return (await pool.run({ kind: 'crop', bytes, page }, signal)) as CropResult;
    },
    ...computations,
    compute: (name, input, signal) => computer.compute(name, input, signal),
    close: async () => {
      await Promise.all([pool.close(), computer.close()]);
    },
    stats: () => {
      const { children, restarts, queued } = pool.stats();
      const apart = computer.stats();
      return { ...apart, children, restarts: restarts + apart.restarts, queued: queued + apart.queued };
    },
  };
}
