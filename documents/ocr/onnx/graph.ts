import {
  type Field,
  integersOf,
  integerField,
  messageField,
  readFields,
  textField,
  textOf,
  writeFields,
} from './wire.ts';

/** Field numbers of onnx.proto3 (ONNX 1.x): ModelProto, GraphProto, NodeProto, AttributeProto, TensorProto. */
const GRAPH_OF_MODEL = 7;
const NODE = 1;
const INITIALIZER = 5;
const OUTPUT = 12;
const NODE_FIELDS = { input: 1, output: 2, op: 4, attribute: 5 };
const ATTRIBUTE = { name: 1, tensor: 5 };
const TENSOR = { dims: 1, type: 2, floats: 4, name: 8, raw: 9 };
const FLOAT = 1;

export interface GraphNode {
  op: string;
  inputs: string[];
  outputs: string[];
  /** Encoded AttributeProto messages by name. */
  attributes: Map<string, Uint8Array>;
}

export interface FloatTensor {
  dims: number[];
  values: Float32Array;
}

/** The nodes of an ONNX model in a form that can be rewritten. What isn't looked at is kept byte by byte. */
export interface Graph {
  nodes: GraphNode[];
  /** Constants of 32-bit floats: initializers, and the values of Constant nodes. */
  constants: Map<string, FloatTensor>;
  outputs: Set<string>;
  /** The model with `nodes` as they are now and `added` as further initializers. */
  write(added: Map<string, FloatTensor>): Uint8Array;
}

export function readGraph(model: Uint8Array): Graph {
  const modelFields = readFields(model);
  const graphField = modelFields.find((field) => field.number === GRAPH_OF_MODEL);
  if (!graphField) throw new RangeError('The model has no graph.');
  const graphFields = readFields(graphField.bytes);
  const nodes = graphFields.filter((field) => field.number === NODE).map((field) => readNode(field.bytes));
  const constants = new Map<string, FloatTensor>();
  for (const field of graphFields.filter(({ number }) => number === INITIALIZER)) addConstant(constants, field.bytes);
  for (const node of nodes) {
    const value = node.op === 'Constant' ? node.attributes.get('value') : undefined;
    const tensor = value && readFields(value).find((field) => field.number === ATTRIBUTE.tensor);
    if (tensor) addConstant(constants, tensor.bytes, node.outputs[0]);
  }
  const outputs = graphFields
    .filter((field) => field.number === OUTPUT)
    .map((field) => textOf(readFields(field.bytes).find(({ number }) => number === 1)!));
  const kept = graphFields.filter((field) => field.number !== NODE);
  return {
    nodes,
    constants,
    outputs: new Set(outputs),
    write: (added) => {
      const tensors = [...added].map(([name, tensor]) => messageField(INITIALIZER, writeTensor(name, tensor)));
      const written = nodes.map((node) => messageField(NODE, writeNode(node)));
      const graph = messageField(GRAPH_OF_MODEL, writeFields([...written, ...kept, ...tensors]));
      return writeFields(modelFields.map((field) => (field === graphField ? graph : field)));
    },
  };
}

function readNode(bytes: Uint8Array): GraphNode {
  const fields = readFields(bytes);
  const texts = (number: number): string[] => fields.filter((field) => field.number === number).map(textOf);
  const attributes = fields.filter((field) => field.number === NODE_FIELDS.attribute).map(({ bytes: value }) => value);
  return {
    op: texts(NODE_FIELDS.op)[0] ?? '',
    inputs: texts(NODE_FIELDS.input),
    outputs: texts(NODE_FIELDS.output),
    attributes: new Map(attributes.map((value) => [nameOf(value, ATTRIBUTE.name), value])),
  };
}

function writeNode({ op, inputs, outputs, attributes }: GraphNode): Uint8Array {
  return writeFields([
    ...inputs.map((name) => textField(NODE_FIELDS.input, name)),
    ...outputs.map((name) => textField(NODE_FIELDS.output, name)),
    textField(NODE_FIELDS.op, op),
    ...[...attributes.values()].map((value) => messageField(NODE_FIELDS.attribute, value)),
  ]);
}

function nameOf(message: Uint8Array, number: number): string {
  const field = readFields(message).find((one) => one.number === number);
  return field ? textOf(field) : '';
}

function addConstant(constants: Map<string, FloatTensor>, bytes: Uint8Array, name?: string): void {
  const fields = readFields(bytes);
  if (integersOf(fields, TENSOR.type)[0] !== FLOAT) return;
  const stored = fields.filter((field: Field) => field.number === TENSOR.raw || field.number === TENSOR.floats);
  const raw = Uint8Array.from(Buffer.concat(stored.map((field) => field.bytes)));
  const values = new Float32Array(raw.buffer);
  constants.set(name ?? nameOf(bytes, TENSOR.name), { dims: integersOf(fields, TENSOR.dims), values });
}

function writeTensor(name: string, { dims, values }: FloatTensor): Uint8Array {
  return writeFields([
    ...dims.map((size) => integerField(TENSOR.dims, size)),
    integerField(TENSOR.type, FLOAT),
    textField(TENSOR.name, name),
    messageField(TENSOR.raw, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
  ]);
}
