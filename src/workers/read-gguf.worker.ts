import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { gguf, GGMLQuantizationType, GGUF_QUANT_DESCRIPTIONS } from '@huggingface/gguf'
import type { GgufFacts, GgufRead, ReadGgufTask } from './gguf-header.ts'
import { messageOf } from '../lib/message-of.ts'

/** Values of a block and bytes of one, by tensor type, from ggml’s `type_traits`. A type that is not here is not checked. */
const blocks: Readonly<Record<string, readonly [values: number, bytes: number]>> = {
  F32: [1, 4],
  F16: [1, 2],
  BF16: [1, 2],
  Q4_0: [32, 18],
  Q4_1: [32, 20],
  Q5_0: [32, 22],
  Q5_1: [32, 24],
  Q8_0: [32, 34],
  Q2_K: [256, 84],
  Q3_K: [256, 110],
  Q4_K: [256, 144],
  Q5_K: [256, 176],
  Q6_K: [256, 210],
  IQ2_XXS: [256, 66],
  IQ2_XS: [256, 74],
  IQ3_XXS: [256, 98],
  IQ1_S: [256, 50],
  IQ4_NL: [32, 18],
  IQ3_S: [256, 110],
  IQ2_S: [256, 82],
  IQ4_XS: [256, 136],
  IQ1_M: [256, 56],
  MXFP4: [32, 17],
}

/** Architectures that give vectors and no text. */
const embeds = /^(?:bert|nomic-bert|jina-bert|modern-bert|neo-bert|eurobert|gemma-embedding|t5encoder)/

/** Characters that are kept of a text, and the largest count that a model has: a header says what it likes. */
const [mostText, mostCount] = [200, 2 ** 40]

/** What a GGUF file says of itself. Only its header is read. */
export default async function readGguf({ path }: ReadGgufTask): Promise<GgufRead> {
  try {
    const fault = faultOf(path)
    if (fault !== null) return { ok: false, reason: fault }
    return { ok: true, facts: await factsOf(path) }
  } catch (error) {
    return { ok: false, reason: `Its header cannot be read: ${messageOf(error)}` }
  }
}

function faultOf(path: string): string | null {
  const head = Buffer.alloc(8)
  const file = openSync(path, 'r')
  const read = readSync(file, head, 0, 8, 0)
  closeSync(file)
  if (read < 8) return `It has ${read} bytes, so it is no GGUF file. Download it again.`
  if (head.toString('latin1', 0, 4) !== 'GGUF')
    return 'It is no GGUF file: it does not begin with GGUF. Convert the model, or download it again.'
  const version = head.readUInt32LE(4)
  if (version === 2 || version === 3 || head.readUInt32BE(4) === 3) return null
  return `It is GGUF version ${version}; versions 2 and 3 can be read. Get a newer file of the model.`
}

async function factsOf(path: string): Promise<GgufFacts> {
  const { metadata, tensorInfos, tensorInfoByteRange } = await gguf(path, { allowLocalFile: true })
  // The library types the keys of architectures it knows; files have any.
  const values: Readonly<Record<string, unknown>> = { ...metadata }
  const text = (key: string) => (typeof values[key] === 'string' ? values[key].slice(0, mostText) : null)
  const number = (key: string) => (typeof values[key] === 'number' || typeof values[key] === 'bigint' ? Number(values[key]) : null)
  const architecture = text('general.architecture') ?? 'unknown'
  /** What is below zero, or beyond any model, is damage. */
  const bounded = (size: number | null) => (size !== null && size >= 0 && size <= mostCount ? size : null)
  const of = (key: string) => bounded(number(`${architecture}.${key}`))
  const valuesOf = (shape: readonly bigint[]) => Number(shape.reduce((product, n) => product * n, 1n))
  const byType = new Map<string, number>()
  // The library pads in 32 bits, so that a large alignment puts the tensors before the file.
  const alignment = number('general.alignment') ?? 32
  if (!Number.isInteger(Math.log2(alignment))) throw new Error('its alignment is not a power of two. Download it again.')
  const dataAt = Math.ceil(tensorInfoByteRange[1] / alignment) * alignment
  let end = dataAt
  let parameters = 0
  const places: Place[] = []
  for (const { name, shape, dtype, offset } of tensorInfos) {
    const count = valuesOf(shape)
    const type = GGMLQuantizationType[dtype] ?? `type ${dtype}`
    const [perBlock, bytes] = blocks[type] ?? [1, 0]
    parameters += count
    byType.set(type, (byType.get(type) ?? 0) + count)
    const begin = dataAt + Number(offset)
    const place = { name, begin, end: begin + (count / perBlock) * bytes }
    places.push(place)
    end = Math.max(end, place.end)
  }
  const [most] = [...byType].sort((a, b) => b[1] - a[1])
  const template = text('tokenizer.chat_template')
  const heads = of('attention.head_count')
  const width = of('embedding_length')
  if (!(parameters <= 2 ** 53 && end <= 2 ** 53)) throw new Error('its tensors are larger than any file. Download it again.')
  requireApart(places)
  const { size } = statSync(path)
  return {
    kind: kindOf(),
    name: text('general.name'),
    architecture,
    parameters: tensorInfos.length === 0 ? null : parameters,
    quantization: quantizationIn(path) ?? most?.[0] ?? null,
    contextTokens: of('context_length') || null,
    hasTemplate: template !== null && template !== '',
    layers: of('block_count') || null,
    keyValueWidth:
      width === null || heads === null || heads < 1
        ? null
        : bounded((of('attention.key_length') ?? width / heads) * (of('attention.head_count_kv') ?? heads)),
    split: of('split.count') ?? bounded(number('split.count')),
    missingBytes: Math.max(0, Math.round(end - size)),
  }

  function kindOf(): GgufFacts['kind'] {
    if (text('general.type') === 'adapter' || text('adapter.type') !== null) return 'adapter'
    if (text('general.type') === 'mmproj' || architecture === 'clip') return 'projector'
    if (embeds.test(architecture)) return 'embedding'
    return tensorInfos.length === 0 && (number('split.count') ?? 0) < 2 ? 'vocabulary' : 'model'
  }
}

interface Place {
  readonly name: string
  /** Bytes from the start of the file. */
  readonly begin: number
  readonly end: number
}

/** Runtimes load no file whose tensors share bytes; its parameters would count twice. @throws Error that names two which do */
function requireApart(places: Place[]): void {
  places.sort((a, b) => a.begin - b.begin || a.end - b.end)
  for (const [i, place] of places.entries()) {
    const next = places[i + 1]
    if (next && next.begin < place.end)
      throw new Error(`its tensors "${place.name.slice(0, 60)}" and "${next.name.slice(0, 60)}" overlap. Download it again.`)
  }
}

/** As the file is named: it tells Q4_K_M from Q4_K_S. */
function quantizationIn(path: string): string | null {
  const names = Object.keys(GGUF_QUANT_DESCRIPTIONS)
  const name = path.toUpperCase().split(/[\\/]/).at(-1) ?? ''
  const found = /(?:^|[-_.])((?:UD-)?(?:I?Q\d(?:_[A-Z0-9]+)*|B?F16|F32|MXFP4))(?=[-.]|$)/.exec(name)?.[1]
  return found ?? names.find(one => name.includes(`-${one}.`)) ?? null
}
