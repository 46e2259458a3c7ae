import { type FloatTensor, type Graph, type GraphNode, readGraph } from './graph.ts';
import { floatField, integerField, integersOf, readFields, textField, writeFields } from './wire.ts';

/** AttributeProto: name, float, integers, type. */
const ATTRIBUTE = { name: 1, float: 2, integers: 8, type: 20 };
const TYPE_FLOAT = 1;
/** Below it, dividing by a scale would cost digits. */
const SMALLEST_SCALE = 0.01;

/**
 * The same network with less to do. PP-OCRv4's exports write hard swish as four nodes and put a scale and a shift by one
 * number before and behind it (LCNetV3's learnable affine blocks); onnxruntime runs each of these as a pass over the whole
 * layer, together nearly half of the time. Scales and shifts go into the weights of the convolution beside them, and hard
 * swish becomes HardSigmoid and Mul. The output differs by rounding only.
 */
export function simplifyModel(model: Uint8Array): Uint8Array {
  const graph = readGraph(model);
  const rewriter = new Rewriter(graph);
  for (const node of [...graph.nodes]) if (node.op === 'Conv') rewriter.foldBehind(node);
  for (const node of [...graph.nodes]) if (node.op === 'Clip') rewriter.fuseHardSwish(node);
  for (const node of [...graph.nodes]) if (node.op === 'Conv') rewriter.foldBefore(node);
  return graph.write(rewriter.added);
}

interface ScalarStep {
  node: GraphNode;
  input: string;
  value: number;
}

class Rewriter {
  readonly added = new Map<string, FloatTensor>();
  readonly #graph: Graph;
  readonly #users = new Map<string, GraphNode[]>();
  readonly #makers = new Map<string, GraphNode>();

  constructor(graph: Graph) {
    this.#graph = graph;
    for (const node of graph.nodes) {
      for (const name of node.inputs) this.#users.set(name, [...(this.#users.get(name) ?? []), node]);
      for (const name of node.outputs) this.#makers.set(name, node);
    }
  }

  /** conv(x) × s + t */
  foldBehind(conv: GraphNode): void {
    const scale = this.#scalarStep(this.#onlyUser(conv.outputs[0]!), 'Mul');
    const shift = scale && this.#scalarStep(this.#onlyUser(scale.node.outputs[0]!), 'Add');
    const weights = this.#weights(conv);
    if (!scale || !shift || !weights) return;
    const { kernel, bias } = weights;
    this.#setWeights(conv, {
      kernel: { dims: kernel.dims, values: kernel.values.map((value) => value * scale.value) },
      bias: bias.map((value) => value * scale.value + shift.value),
    });
    this.#remove(scale.node, shift.node);
    this.#rename(conv, shift.node.outputs[0]!);
  }

  /** x × clip(x + 3, 0, 6) / 6 */
  fuseHardSwish(clip: GraphNode): void {
    const three = this.#scalarStep(this.#makers.get(clip.inputs[0]!), 'Add', 3);
    const product = this.#onlyUser(clip.outputs[0]!);
    const sixth = product && this.#scalarStep(this.#onlyUser(product.outputs[0]!), 'Div', 6);
    if (!three || !sixth || this.#onlyUser(three.node.outputs[0]!) !== clip || !this.#clipsToSix(clip)) return;
    if (product.op !== 'Mul' || !product.inputs.includes(three.input)) return;
    clip.op = 'HardSigmoid';
    clip.inputs = [three.input];
    clip.attributes = new Map([
      ['alpha', floatAttribute('alpha', 1 / 6)],
      ['beta', floatAttribute('beta', 0.5)],
    ]);
    const users = this.#users.get(three.input)!;
    users[users.indexOf(three.node)] = clip;
    this.#remove(three.node, sixth.node);
    this.#rename(product, sixth.node.outputs[0]!);
  }

  /** conv(x × s + t), where nothing else takes x × s + t. Padding is zeros behind the shift: then only the scale is folded. */
  foldBefore(conv: GraphNode): void {
    const shift = this.#scalarStep(this.#makers.get(conv.inputs[0]!), 'Add');
    const scale = shift && this.#scalarStep(this.#makers.get(shift.input), 'Mul');
    const weights = this.#weights(conv);
    if (!shift || !scale || !weights || Math.abs(scale.value) < SMALLEST_SCALE) return;
    if (this.#onlyUser(shift.node.outputs[0]!) !== conv || this.#onlyUser(shift.input) !== shift.node) return;
    const { kernel, bias } = weights;
    const padded = isPadded(conv);
    const size = kernel.values.length / bias.length;
    const sums = bias.map((_, i) => kernel.values.subarray(i * size, (i + 1) * size).reduce((sum, v) => sum + v, 0));
    this.#setWeights(conv, {
      kernel: { dims: kernel.dims, values: kernel.values.map((value) => value * scale.value) },
      bias: padded ? bias : bias.map((value, i) => value + sums[i]! * shift.value),
    });
    this.#remove(scale.node);
    if (padded) {
      const name = this.#add({ dims: [1], values: Float32Array.of(shift.value / scale.value) });
      shift.node.inputs = [scale.input, name];
    } else {
      this.#remove(shift.node);
      conv.inputs[0] = scale.input;
    }
    const users = this.#users.get(scale.input)!;
    users[users.indexOf(scale.node)] = padded ? shift.node : conv;
  }

  #onlyUser(name: string): GraphNode | undefined {
    const users = this.#users.get(name) ?? [];
    return users.length === 1 && !this.#graph.outputs.has(name) ? users[0] : undefined;
  }

  /** A node that combines its input with one number. */
  #scalarStep(node: GraphNode | undefined, op: string, expected?: number): ScalarStep | undefined {
    if (node?.op !== op || node.inputs.length !== 2) return undefined;
    const at = node.inputs.findIndex((name) => this.#graph.constants.get(name)?.values.length === 1);
    if (at < 0 || (op === 'Div' && at !== 1)) return undefined;
    const value = this.#graph.constants.get(node.inputs[at]!)!.values[0]!;
    if (expected !== undefined && value !== expected) return undefined;
    return { node, input: node.inputs[1 - at]!, value };
  }

  #clipsToSix(clip: GraphNode): boolean {
    const bound = (name: string, input: number): number | undefined => {
      const constant = this.#graph.constants.get(clip.inputs[input] ?? '');
      if (constant) return constant.values[0];
      const attribute = readFields(clip.attributes.get(name) ?? new Uint8Array()).find(
        (field) => field.number === ATTRIBUTE.float,
      );
      return attribute && new DataView(Uint8Array.from(attribute.bytes).buffer).getFloat32(0, true);
    };
    return bound('min', 1) === 0 && bound('max', 2) === 6;
  }

  #weights(conv: GraphNode): { kernel: FloatTensor; bias: Float32Array } | undefined {
    const kernel = this.#constant(conv.inputs[1]!);
    if (!kernel) return undefined;
    const name = conv.inputs[2];
    const bias = name === undefined ? new Float32Array(kernel.dims[0]!) : this.#constant(name)?.values;
    return bias && { kernel, bias };
  }

  #constant(name: string): FloatTensor | undefined {
    return this.added.get(name) ?? this.#graph.constants.get(name);
  }

  #setWeights(conv: GraphNode, { kernel, bias }: { kernel: FloatTensor; bias: Float32Array }): void {
    for (const name of conv.inputs.slice(1)) this.added.delete(name);
    conv.inputs = [conv.inputs[0]!, this.#add(kernel), this.#add({ dims: [bias.length], values: bias })];
  }

  #names = 0;
  #add(tensor: FloatTensor): string {
    const name = `simplified.${String(this.#names++)}`;
    this.added.set(name, tensor);
    return name;
  }

  #remove(...nodes: GraphNode[]): void {
    for (const node of nodes) this.#graph.nodes.splice(this.#graph.nodes.indexOf(node), 1);
  }

  /** Gives the node's output the name that the users of a removed node know. */
  #rename(node: GraphNode, name: string): void {
    node.outputs = [name];
    this.#makers.set(name, node);
  }
}

function isPadded(conv: GraphNode): boolean {
  if (conv.attributes.has('auto_pad')) return true;
  const pads = conv.attributes.get('pads');
  return pads !== undefined && integersOf(readFields(pads), ATTRIBUTE.integers).some((value) => value !== 0);
}

const floatAttribute = (name: string, value: number): Uint8Array =>
  writeFields([
    textField(ATTRIBUTE.name, name),
    floatField(ATTRIBUTE.float, value),
    integerField(ATTRIBUTE.type, TYPE_FLOAT),
  ]);
