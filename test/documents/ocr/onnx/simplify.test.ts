import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type FloatTensor, readGraph } from '../../../../documents/ocr/onnx/graph.ts';
import { simplifyModel } from '../../../../documents/ocr/onnx/simplify.ts';
import { floatField, messageField, textField, writeFields } from '../../../../documents/ocr/onnx/wire.ts';

const run = promisify(execFile);

interface NodeSpec {
  op: string;
  inputs: string[];
  output: string;
  attributes?: Record<string, Uint8Array>;
}

/** A model of the given nodes whose output is `y`. */
function modelOf(nodes: NodeSpec[], constants: Record<string, FloatTensor>): Uint8Array {
  const encoded = nodes.map(({ op, inputs, output, attributes = {} }) =>
    messageField(
      1,
      writeFields([
        ...inputs.map((name) => textField(1, name)),
        textField(2, output),
        textField(4, op),
        ...Object.values(attributes).map((value) => messageField(5, value)),
      ]),
    ),
  );
  const bare = writeFields([
    messageField(7, writeFields([...encoded, messageField(12, writeFields([textField(1, 'y')]))])),
  ]);
  return readGraph(bare).write(new Map(Object.entries(constants)));
}

const scalar = (value: number): FloatTensor => ({ dims: [1], values: Float32Array.of(value) });
const numbers = { two: scalar(2), three: scalar(3), five: scalar(5), six: scalar(6), zero: scalar(0) };
/** A convolution of one channel and one weight. */
const weights = { w: { dims: [1, 1, 1, 1], values: Float32Array.of(10) }, b: scalar(1) };
const conv = (input: string, output: string): NodeSpec => ({ op: 'Conv', inputs: [input, 'w', 'b'], output });
const padded = (node: NodeSpec): NodeSpec => ({
  ...node,
  attributes: { pads: writeFields([textField(1, 'pads'), messageField(8, Uint8Array.of(1, 1, 1, 1))]) },
});
const hardSwish = (input: string, output: string): NodeSpec[] => [
  { op: 'Add', inputs: [input, 'three'], output: 'h1' },
  { op: 'Clip', inputs: ['h1', 'zero', 'six'], output: 'h2' },
  { op: 'Mul', inputs: [input, 'h2'], output: 'h3' },
  { op: 'Div', inputs: ['h3', 'six'], output },
];

const simplified = (nodes: NodeSpec[], more: Record<string, FloatTensor> = {}): ReturnType<typeof readGraph> =>
  readGraph(simplifyModel(modelOf(nodes, { ...numbers, ...weights, ...more })));
const ops = (graph: ReturnType<typeof readGraph>): string[] => graph.nodes.map((node) => node.op);
const weightsOf = (graph: ReturnType<typeof readGraph>, at: number): number[] =>
  graph.nodes[at]!.inputs.slice(1).map((name) => graph.constants.get(name)!.values[0]!);

describe('a simplified network', () => {
  it('has scale and shift behind a convolution in its weights', () => {
    const graph = simplified([
      conv('x', 'c'),
      { op: 'Mul', inputs: ['two', 'c'], output: 'm' },
      { op: 'Add', inputs: ['m', 'five'], output: 'y' },
    ]);
    expect(ops(graph)).toEqual(['Conv']);
    // (10x + 1) × 2 + 5
    expect(weightsOf(graph, 0)).toEqual([20, 7]);
    expect(graph.nodes[0]!.outputs).toEqual(['y']);
  });

  it('has scale and shift before a convolution in its weights', () => {
    const graph = simplified([
      { op: 'Mul', inputs: ['x', 'two'], output: 'm' },
      { op: 'Add', inputs: ['m', 'five'], output: 'a' },
      conv('a', 'y'),
    ]);
    expect(ops(graph)).toEqual(['Conv']);
    // 10 × (2x + 5) + 1
    expect(weightsOf(graph, 0)).toEqual([20, 51]);
    expect(graph.nodes[0]!.inputs[0]).toBe('x');
  });

  it('keeps the shift before a padded convolution, whose padding is zeros and not shifted', () => {
    const graph = simplified([
      { op: 'Mul', inputs: ['x', 'two'], output: 'm' },
      { op: 'Add', inputs: ['m', 'five'], output: 'a' },
      padded(conv('a', 'y')),
    ]);
    expect(ops(graph)).toEqual(['Add', 'Conv']);
    // 20 × (x + 2.5) + 1
    expect(weightsOf(graph, 0)).toEqual([2.5]);
    expect(weightsOf(graph, 1)).toEqual([20, 1]);
  });

  it('has hard swish as two nodes', () => {
    const graph = simplified([conv('x', 'c'), ...hardSwish('c', 'y')]);
    expect(ops(graph)).toEqual(['Conv', 'HardSigmoid', 'Mul']);
    expect(graph.nodes[1]!.inputs).toEqual(['c']);
    expect(graph.nodes[2]!).toMatchObject({ inputs: ['c', 'h2'], outputs: ['y'] });
  });

  it('knows hard swish with its bounds as attributes too', () => {
    const [add, clip, ...rest] = hardSwish('x', 'y');
    const bound = (name: string, value: number): Uint8Array => writeFields([textField(1, name), floatField(2, value)]);
    const old = { ...clip!, inputs: ['h1'], attributes: { min: bound('min', 0), max: bound('max', 6) } };
    expect(ops(simplified([add!, old, ...rest]))).toEqual(['HardSigmoid', 'Mul']);
    const other = { ...old, attributes: { min: bound('min', 0), max: bound('max', 5) } };
    expect(ops(simplified([add!, other, ...rest]))).toEqual(['Add', 'Clip', 'Mul', 'Div']);
  });

  it('keeps what is taken from elsewhere too, and what is no single number', () => {
    const branch = [
      conv('x', 'c'),
      { op: 'Mul', inputs: ['c', 'two'], output: 'm' },
      { op: 'Add', inputs: ['m', 'c'], output: 'y' },
    ];
    expect(ops(simplified(branch))).toEqual(['Conv', 'Mul', 'Add']);
    const channels = { two: { dims: [2], values: Float32Array.of(2, 3) } };
    const perChannel = [
      conv('x', 'c'),
      { op: 'Mul', inputs: ['c', 'two'], output: 'm' },
      { op: 'Add', inputs: ['m', 'five'], output: 'y' },
    ];
    expect(ops(simplified(perChannel, channels))).toEqual(['Conv', 'Mul', 'Add']);
  });

  it('keeps the scale where the layer before the shift is an output of the model', () => {
    const graph = simplified([
      conv('x', 'y'),
      { op: 'Mul', inputs: ['y', 'two'], output: 'm' },
      { op: 'Add', inputs: ['m', 'five'], output: 'z' },
    ]);
    expect(ops(graph)).toEqual(['Conv', 'Mul', 'Add']);
  });

  it('refuses bytes that are no model', () => {
    expect(() => simplifyModel(Uint8Array.of(0x3a, 0x7f, 1))).toThrow(RangeError);
    expect(() => simplifyModel(new Uint8Array())).toThrow('no graph');
  });

  // onnxruntime takes no typed arrays of a test runner's realm, so a process of its own compares.
  it.each(['detector', 'ch'])("computes what the %s's own file computes", async (name) => {
    const { stdout } = await run(process.execPath, [resolve(import.meta.dirname, 'compare-models.ts'), name]);
    const { difference, highest } = JSON.parse(stdout) as { difference: number; highest: number };
    expect(highest).toBeGreaterThan(0.2);
    expect(difference).toBeLessThan(1e-4);
  });
});
