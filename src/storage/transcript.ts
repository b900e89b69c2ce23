import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** What one attempt sent and got, byte for byte, and the answer's text that was read out of it. */
export interface Transcript {
  readonly request: Uint8Array | null
  readonly response: Uint8Array | null
  readonly output: string | null
  /** What the model thought before the answer; absent where it told none. */
  readonly reasoning?: string | null
  /** JSON of the answers to earlier scripted turns; absent where there was one question. */
  readonly answers?: string | null
  /** Calls before that one, oldest first; absent where there was one. */
  readonly earlier?: readonly { readonly request: Uint8Array | null; readonly response: Uint8Array | null }[]
  /** JSON text of what else is to be said of the call; absent where there is nothing. */
  readonly notes?: string | null
}

const absent = 0xffffffff
/**
 * In the place of the first length: what follows is the number of parts and then the length of each. No part is that long. Notes and the
 * pairs of earlier calls follow the plain parts; an odd number of parts has the reasoning behind them.
 */
const counted = 0xfffffffe
/** The same, with the answers to earlier turns as one part more at the end. */
const countedWithAnswers = 0xfffffffd
/** Request, response and output. */
const plainParts = 3

/** The parts one after another, behind their lengths: compressed as one, a part repeated in another costs next to nothing. */
export function packTranscript({
  request,
  response,
  output,
  reasoning = null,
  answers = null,
  earlier = [],
  notes = null,
}: Transcript): Uint8Array {
  const plain = [request, response, bytesOf(output)]
  if (earlier.length === 0 && notes === null && reasoning === null && answers === null) return behindLengths([], plain)
  const parts = [
    ...plain,
    bytesOf(notes),
    ...earlier.flatMap(call => [call.request, call.response]),
    ...(reasoning === null ? [] : [bytesOf(reasoning)]),
    ...(answers === null ? [] : [bytesOf(answers)]),
  ]
  return behindLengths([answers === null ? counted : countedWithAnswers, parts.length], parts)
}

function behindLengths(form: readonly number[], parts: readonly (Uint8Array | null)[]): Uint8Array {
  let offset = 4 * (form.length + parts.length)
  const block = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + (part?.length ?? 0), offset))
  let at = 0
  for (const number of form) at = block.writeUInt32LE(number, at)
  for (const part of parts) {
    at = block.writeUInt32LE(part ? part.length : absent, at)
    if (!part) continue
    block.set(part, offset)
    offset += part.length
  }
  return block
}

/** @throws RangeError when the block is not one of ours. */
export function unpackTranscript(block: Uint8Array): Transcript {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  const form = bytes.readUInt32LE(0)
  const isPlain = form !== counted && form !== countedWithAnswers
  const all = partsOf(bytes, isPlain ? 0 : 8, isPlain ? plainParts : bytes.readUInt32LE(4))
  const answers = form === countedWithAnswers ? all.at(-1) : null
  const parts = form === countedWithAnswers ? all.slice(0, -1) : all
  const [request = null, response = null, output, notes, ...calls] = parts
  const transcript = { request, response, output: output?.toString('utf8') ?? null }
  if (isPlain) return transcript
  const reasoning = calls.length % 2 === 1 ? calls.at(-1) : null
  const earlier = Array.from({ length: Math.floor(calls.length / 2) }, (_, i) => ({
    request: calls[2 * i] ?? null,
    response: calls[2 * i + 1] ?? null,
  }))
  return {
    ...transcript,
    reasoning: reasoning?.toString('utf8') ?? null,
    ...(answers && { answers: answers.toString('utf8') }),
    earlier,
    notes: notes?.toString('utf8') ?? null,
  }
}

function partsOf(bytes: Buffer, lengthsAt: number, count: number): (Buffer | null)[] {
  let offset = lengthsAt + 4 * count
  return Array.from({ length: count }, (_, i) => {
    const length = bytes.readUInt32LE(lengthsAt + 4 * i)
    if (length === absent) return null
    if (offset + length > bytes.length) throw new RangeError('The transcript is cut off.')
    const part = bytes.subarray(offset, offset + length)
    offset += length
    return part
  })
}

function bytesOf(text: string | null): Uint8Array | null {
  return text === null ? null : Buffer.from(text, 'utf8')
}

/** A run's first transcript serves as the dictionary of the others: prompts and replies of one run look alike. */
export function compress(block: Uint8Array, dictionary: Uint8Array | null): Uint8Array {
  return zstdCompressSync(block, dictionary ? { dictionary: Buffer.from(dictionary) } : {})
}

export function decompress(block: Uint8Array, dictionary: Uint8Array | null): Uint8Array {
  return zstdDecompressSync(block, dictionary ? { dictionary: Buffer.from(dictionary) } : {})
}
