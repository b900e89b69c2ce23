import { MediaDigest, Part } from '../../contract/messages/messages.schemas.ts'
import { mediaMark } from '../../lib/media-marks.ts'

/** A file where a value holds it: in the store, in the value itself, or at an address, which is never opened. */
export type ShownFile =
  | { readonly kind: 'stored'; readonly digest: MediaDigest; readonly alt: string | null }
  | { readonly kind: 'inline'; readonly base64: string; readonly alt: string | null }
  | { readonly kind: 'linked'; readonly address: string }

export type Piece = { readonly kind: 'text'; readonly text: string } | ShownFile

type Fields = Readonly<Record<string, unknown>>

/**
 * What a value shows where it holds files: stored ones by digest, data URIs also within a text, parts of messages of Assay, OpenAI,
 * Anthropic and Gemini, `{bytes, path}` of Hugging Face, and lists of those. Null for a value without files.
 */
export function mediaPieces(value: unknown): readonly Piece[] | null {
  const pieces = piecesOf(value)
  return pieces?.some(({ kind }) => kind !== 'text') ? pieces : null
}

/** Fields in their order: the files of a field stand where a text marks them, else under the field's name. */
export function fieldPieces(fields: Fields): readonly (readonly [name: string, pieces: readonly Piece[] | null])[] {
  const held = Object.entries(fields).map(([name, value]) => [name, mediaPieces(value)] as const)
  const files = new Map(held.flatMap(([name, pieces]) => (pieces?.every(isFile) ? [[name, pieces] as const] : [])))
  const all = [...files].flatMap(([name, ofField]) => ofField.map(file => ({ name, file })))
  const placed = new Map<ShownFile, true>()
  let unnumbered = 0
  const fileAt = (kind: string | undefined, number: string | undefined, field: string | undefined): readonly ShownFile[] => {
    if (field !== undefined) return files.get(field) ?? []
    const found = kind === 'image' ? all[number === undefined ? unnumbered++ : Number(number) - 1]?.file : undefined
    return found ? [found] : []
  }
  const texts = new Map<string, readonly Piece[]>()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || files.size === 0 || files.has(name)) continue
    const parts = splitAt(value, mediaMark, ([, kind, number, field]) => fileAt(kind, number, field))
    for (const file of parts.filter(isFile)) placed.set(file, true)
    if (parts.some(isFile)) texts.set(name, parts)
  }
  return held.flatMap(([name, pieces]): (readonly [string, readonly Piece[] | null])[] => {
    const marked = texts.get(name)
    if (marked) return [[name, marked]]
    const rest = pieces?.filter(piece => piece.kind === 'text' || !placed.has(piece)) ?? null
    return rest?.length === 0 ? [] : [[name, rest]]
  })
}

function isFile(piece: Piece): piece is ShownFile {
  return piece.kind !== 'text'
}

function piecesOf(value: unknown): readonly Piece[] | null {
  if (typeof value === 'string') return textPieces(value)
  if (Array.isArray(value)) {
    const found = value.map(piecesOf)
    return found.every(pieces => pieces !== null) ? found.flat() : null
  }
  return typeof value === 'object' && value !== null ? partPieces(value as Fields) : null
}

/** An image of Markdown with its description, or the address alone. */
const dataUri = /!\[([^\]]{0,1000})\]\((data:[a-z]+\/[\w.+-]+;base64,[\w+/=]+)\)|data:[a-z]+\/[\w.+-]+;base64,[\w+/=]+/gi

function textPieces(text: string): readonly Piece[] {
  const trimmed = text.trim()
  const digest = MediaDigest.safeParse(trimmed)
  if (digest.success) return [{ kind: 'stored', digest: digest.data, alt: null }]
  if (/^[[{]/.test(trimmed) && trimmed.includes('data')) {
    const parsed = mediaPieces(jsonIn(trimmed))
    if (parsed) return parsed
  }
  return splitAt(text, dataUri, ([whole, alt, address]) => [fileAtAddress(address ?? whole, alt || null)])
}

function splitAt(text: string, pattern: RegExp, filesOf: (match: RegExpExecArray) => readonly ShownFile[]): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  const add = (to: number): void => {
    if (text.slice(from, to).trim() !== '') pieces.push({ kind: 'text', text: text.slice(from, to).trim() })
  }
  for (const match of text.matchAll(pattern)) {
    const files = filesOf(match)
    if (files.length === 0) continue
    add(match.index)
    pieces.push(...files)
    from = match.index + match[0].length
  }
  if (pieces.length === 0) return [{ kind: 'text', text }]
  add(text.length)
  return pieces
}

/** Null for what is not a known part. */
function partPieces(part: Fields): readonly Piece[] | null {
  const own = Part.safeParse(part).data
  if (own && 'media' in own) {
    const alt = own.type === 'image' ? own.alt : own.type === 'audio' ? own.transcript : own.title
    return [{ kind: 'stored', digest: own.media, alt: alt ?? null }]
  }
  const { type = 'text', text } = part
  if (typeof text === 'string' && /^(?:(?:input_|output_)?text)$/.test(String(type))) return textPieces(text)
  if (type === 'tool_result' && 'content' in part) return piecesOf(part['content'])
  const isStated = fileTypes.has(String(type))
  if (!isStated && !Object.keys(part).every(key => bareKeys.has(key))) return null
  const file = fileIn(part)
  // An address alone may be of anything.
  return file && (isStated || file.kind !== 'linked') ? [file] : null
}

const fileTypes: ReadonlySet<string> = new Set([
  'image',
  'image_url',
  'input_image',
  'output_image',
  'audio',
  'input_audio',
  'output_audio',
  'file',
  'input_file',
  'document',
  'media',
])
/** Of files without a type, as Hugging Face, its viewer and Gemini have them. */
const bareKeys: ReadonlySet<string> = new Set(['bytes', 'path', 'src', 'url', 'height', 'width', 'inlineData', 'inline_data', 'alt'])

/** The file of a part, wherever its tool puts it. */
function fileIn(part: Fields): ShownFile | null {
  const alt = [part['alt'], part['alt_text'], part['filename'], part['transcript']].find(text => typeof text === 'string') ?? null
  for (const key of [
    'image_url',
    'image',
    'input_audio',
    'audio',
    'source',
    'file',
    'document',
    'inlineData',
    'inline_data',
    'url',
    'src',
    'data',
  ]) {
    const held = part[key]
    if (typeof held === 'string' && held !== '') return fileAtAddress(held, alt)
    const inner = fieldsOf(held)
    const found = [inner['url'], inner['data'], inner['file_data'], inner['bytes']].find(text => typeof text === 'string' && text !== '')
    if (typeof found === 'string') return fileAtAddress(found, alt)
  }
  const { bytes, path } = part
  if (typeof bytes !== 'string' || bytes === '') return null
  return fileAtAddress(bytes, typeof path === 'string' && path !== '' ? path : alt)
}

function fileAtAddress(text: string, alt: string | null): ShownFile {
  const digest = MediaDigest.safeParse(text)
  if (digest.success) return { kind: 'stored', digest: digest.data, alt }
  const [, base64] = /^data:[^,]{0,200};base64,(.*)$/is.exec(text) ?? []
  if (base64 !== undefined) return { kind: 'inline', base64, alt }
  return text.length > 64 && /^[\w+/]+={0,2}$/.test(text) ? { kind: 'inline', base64: text, alt } : { kind: 'linked', address: text }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
