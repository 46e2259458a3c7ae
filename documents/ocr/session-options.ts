import type * as ort from 'onnxruntime-node';

export function sessionOptions(threads: number): ort.InferenceSession.SessionOptions {
  return {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    // The arena keeps what the largest page needed and hands it out again: the C library would scatter each page's layers over
    // its heap, which then grew by 15 MB a page, or fetch them from the system each time.
    enableCpuMemArena: true,
    // Every page has another shape: patterns of past shapes would only pile up.
    enableMemPattern: false,
    logSeverityLevel: 3,
    // A spinning thread takes the core from the other children.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  };
}
