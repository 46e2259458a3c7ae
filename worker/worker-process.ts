/** One worker process: what `main.ts` starts and stops, whatever queue it serves. */
export interface WorkerProcess {
  /** Resolves when it is at work; what it answers is told to the parent. */
  start(): Promise<{ metricsUrl: string }>;
  /** Finishes what is under way, for at most `graceMs`, and lets go of everything. */
  stop(graceMs: number): Promise<void>;
}
