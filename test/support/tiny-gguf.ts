/**
 * A llama of 480 kB with random weights of a seed: the file that llama.cpp loads, and the log-probabilities that an exact forward pass in
 * doubles has for it. A token is a byte, or one of four special ones.
 */
interface Matrix {
  readonly rows: number
  readonly columns: number
  readonly values: Float32Array
}

interface ExactMatrix extends Omit<Matrix, 'values'> {
  readonly values: Float64Array<ArrayBuffer>
}

export type Weights = Readonly<Record<string, Matrix>>

const size = 64
const layers = 2
const heads = 4
const keyHeads = 2
const feedForward = 160
const contextTokens = 2048
const epsilon = 1e-5
const ropeBase = 10_000
const headSize = size / heads

export const beginningOfText = 256
const endOfText = 257
const template =
  "{% for m in messages %}{% if m['role'] == 'user' %}<|user|>{{ m['content'] }}{% else %}<|assistant|>{{ m['content'] }}{% endif %}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"

/** The vocabulary, as byte-level tokenizers write bytes: printable ones as themselves, the others as characters from 256 on. */
function vocabularyOf(tokens: number): string[] {
  const isPrintable = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
  let next = 256
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPrintable(byte) ? byte : next++))
  const special = ['<|bos|>', '<|eos|>', '<|user|>', '<|assistant|>']
  const known = [...bytes, ...special]
  return [...known, ...Array.from({ length: Math.max(0, tokens - known.length) }, (_, i) => `<|unused-${known.length + i}|>`)]
}

/** @param tokens of the vocabulary; those beyond 260 are never written */
export function tinyWeights(seed: number, tokens = 0): Weights {
  const uniform = mulberry(seed)
  const normal = () => Math.sqrt(-2 * Math.log(uniform() + 1e-12)) * Math.cos(2 * Math.PI * uniform())
  const matrix = (rows: number, columns: number, scale: number): Matrix => {
    return { rows, columns, values: Float32Array.from({ length: rows * columns }, () => normal() * scale) }
  }
  const nearOne = (): Matrix => ({ rows: 1, columns: size, values: Float32Array.from({ length: size }, () => 1 + 0.1 * normal()) })
  const scale = 1 / Math.sqrt(size)
  const vocabulary = vocabularyOf(tokens).length
  const weights: Record<string, Matrix> = {
    'token_embd.weight': matrix(vocabulary, size, 1),
    'output_norm.weight': nearOne(),
    'output.weight': matrix(vocabulary, size, 2 * scale),
  }
  for (let layer = 0; layer < layers; layer++)
    Object.assign(weights, {
      [`blk.${layer}.attn_norm.weight`]: nearOne(),
      [`blk.${layer}.attn_q.weight`]: matrix(size, size, 2 * scale),
      [`blk.${layer}.attn_k.weight`]: matrix(keyHeads * headSize, size, 2 * scale),
      [`blk.${layer}.attn_v.weight`]: matrix(keyHeads * headSize, size, scale),
      [`blk.${layer}.attn_output.weight`]: matrix(size, size, scale),
      [`blk.${layer}.ffn_norm.weight`]: nearOne(),
      [`blk.${layer}.ffn_gate.weight`]: matrix(feedForward, size, scale),
      [`blk.${layer}.ffn_up.weight`]: matrix(feedForward, size, scale),
      [`blk.${layer}.ffn_down.weight`]: matrix(size, feedForward, 1 / Math.sqrt(feedForward)),
    })
  return weights
}

/** The file. Without weights it has a vocabulary alone. */
export function tinyGguf(weights: Weights, tokens = 0): Buffer {
  const vocabulary = vocabularyOf(tokens)
  const metadata: [name: string, value: Buffer][] = [
    ['general.architecture', text('llama')],
    ['general.name', text('tiny-random')],
    ['llama.context_length', uint32(contextTokens)],
    ['llama.embedding_length', uint32(size)],
    ['llama.block_count', uint32(layers)],
    ['llama.feed_forward_length', uint32(feedForward)],
    ['llama.attention.head_count', uint32(heads)],
    ['llama.attention.head_count_kv', uint32(keyHeads)],
    ['llama.attention.layer_norm_rms_epsilon', float32(epsilon)],
    ['llama.rope.freq_base', float32(ropeBase)],
    ['llama.rope.dimension_count', uint32(headSize)],
    ['llama.vocab_size', uint32(vocabulary.length)],
    ['general.file_type', uint32(0)],
    ['tokenizer.ggml.model', text('gpt2')],
    ['tokenizer.ggml.pre', text('default')],
    ['tokenizer.ggml.tokens', list(8, vocabulary.map(string))],
    [
      'tokenizer.ggml.token_type',
      list(
        5,
        vocabulary.map((_, i) => bytes32(i < 256 ? 1 : 3)),
      ),
    ],
    ['tokenizer.ggml.merges', list(8, [string('Ā ā')])],
    ['tokenizer.ggml.bos_token_id', uint32(beginningOfText)],
    ['tokenizer.ggml.eos_token_id', uint32(endOfText)],
    ['tokenizer.ggml.add_bos_token', typed(7, Buffer.from([1]))],
    ['tokenizer.chat_template', text(template)],
  ]
  const tensors = Object.entries(weights)
  let offset = 0
  const directory = tensors.map(([name, { rows, columns, values }]) => {
    const shape = name.includes('norm') ? [columns] : [columns, rows]
    const entry = [string(name), bytes32(shape.length), ...shape.map(bytes64), bytes32(0), bytes64(offset)]
    offset += aligned(values.byteLength)
    return Buffer.concat(entry)
  })
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    bytes32(3),
    bytes64(tensors.length),
    bytes64(metadata.length),
    ...metadata.flatMap(([name, value]) => [string(name), value]),
    ...directory,
  ])
  return Buffer.concat([padded(head), ...tensors.map(([, { values }]) => padded(Buffer.from(values.buffer)))])
}

/**
 * An exact forward pass: the log-probability of every token after each of those it is given. Texts of one model often begin alike, so a
 * pass goes on from what it has in common with the one before.
 */
export function exactPass(weights: Weights): (tokens: readonly number[]) => Float64Array[] {
  const exact = new Map(Object.entries(weights).map(([name, matrix]) => [name, { ...matrix, values: Float64Array.from(matrix.values) }]))
  const of = (name: string): ExactMatrix => {
    const matrix = exact.get(name)
    if (!matrix) throw new Error(`The model has no ${name}.`)
    return matrix
  }
  const caches = Array.from({ length: layers }, (): { key: Float64Array; value: Float64Array }[] => [])
  const after = (token: number, position: number): Float64Array => {
    let x = of('token_embd.weight').values.slice(token * size, (token + 1) * size)
    for (const [layer, cache] of caches.entries()) {
      const part = (name: string) => of(`blk.${layer}.${name}.weight`)
      const attended = normalize(x, part('attn_norm'))
      const query = rotate(multiply(part('attn_q'), attended), position)
      cache.push({ key: rotate(multiply(part('attn_k'), attended), position), value: multiply(part('attn_v'), attended) })
      const out = new Float64Array(size)
      for (let head = 0; head < heads; head++) {
        const own = head * headSize
        const start = Math.floor(head / (heads / keyHeads)) * headSize
        const shares = softmax(cache.map(({ key }) => dot(query, own, key, start, headSize) / Math.sqrt(headSize)))
        cache.forEach(({ value }, at) => {
          const share = shares[at] ?? 0
          for (let i = 0; i < headSize; i++) out[own + i] = (out[own + i] ?? 0) + share * (value[start + i] ?? 0)
        })
      }
      x = add(x, multiply(part('attn_output'), out))
      const fed = normalize(x, part('ffn_norm'))
      const up = multiply(part('ffn_up'), fed)
      const gated = multiply(part('ffn_gate'), fed).map((gate, i) => (gate / (1 + Math.exp(-gate))) * (up[i] ?? 0))
      x = add(x, multiply(part('ffn_down'), gated))
    }
    const logits = multiply(of('output.weight'), normalize(x, of('output_norm.weight')))
    const most = logits.reduce((a, b) => Math.max(a, b))
    const total = logits.reduce((sum, logit) => sum + Math.exp(logit - most), 0)
    return logits.map(logit => logit - most - Math.log(total))
  }
  let done: { readonly token: number; readonly row: Float64Array }[] = []
  return tokens => {
    const differs = tokens.findIndex((token, at) => token !== done[at]?.token)
    const common = differs === -1 ? tokens.length : differs
    for (const cache of caches) cache.length = common
    done = done.slice(0, common)
    for (const token of tokens.slice(common)) done.push({ token, row: after(token, done.length) })
    return done.map(({ row }) => row)
  }
}

function multiply({ rows, columns, values }: ExactMatrix, x: Float64Array): Float64Array<ArrayBuffer> {
  const product = new Float64Array(rows)
  for (let row = 0; row < rows; row++) product[row] = dot(values, row * columns, x, 0, columns)
  return product
}

/** Of `length` values of each, from an index on. */
function dot(a: Float64Array, fromA: number, b: Float64Array, fromB: number, length: number): number {
  let sum = 0
  for (let i = 0; i < length; i++) sum += (a[fromA + i] ?? 0) * (b[fromB + i] ?? 0)
  return sum
}

function add(a: Float64Array, b: Float64Array): Float64Array<ArrayBuffer> {
  return a.map((value, i) => value + (b[i] ?? 0))
}

function normalize(x: Float64Array, { values }: ExactMatrix): Float64Array<ArrayBuffer> {
  const factor = 1 / Math.sqrt(dot(x, 0, x, 0, x.length) / x.length + epsilon)
  return x.map((value, i) => value * factor * (values[i] ?? 0))
}

/** Rotary positions: neighbors are the two parts of one angle. */
function rotate(values: Float64Array<ArrayBuffer>, position: number): Float64Array<ArrayBuffer> {
  for (let at = 0; at < values.length; at += 2) {
    const angle = position * ropeBase ** (-(at % headSize) / headSize)
    const [cos, sin, a, b] = [Math.cos(angle), Math.sin(angle), values[at] ?? 0, values[at + 1] ?? 0]
    values[at] = a * cos - b * sin
    values[at + 1] = a * sin + b * cos
  }
  return values
}

function softmax(scores: readonly number[]): number[] {
  const most = Math.max(...scores)
  const shares = scores.map(score => Math.exp(score - most))
  const total = shares.reduce((a, b) => a + b)
  return shares.map(share => share / total)
}

/** Uniform numbers from 0 to 1. */
function mulberry(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function bytes32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function bytes64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function string(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([bytes64(bytes.length), bytes])
}

// Values of the metadata begin with their type, by GGUF's own numbers.
const typed = (type: number, bytes: Buffer) => Buffer.concat([bytes32(type), bytes])
const uint32 = (value: number) => typed(4, bytes32(value))
const text = (value: string) => typed(8, string(value))
const list = (type: number, items: readonly Buffer[]) => typed(9, Buffer.concat([bytes32(type), bytes64(items.length), ...items]))

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return typed(6, bytes)
}

const alignment = 32
const aligned = (length: number) => Math.ceil(length / alignment) * alignment
const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)])
