import { isMediaName } from '../../../lib/media-name.ts'

/** A file as a cell of a table gives it. */
export type FoundFile =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly mediaType: string | null; readonly name: string | null }
  /** Of the folder or archive. */
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'address'; readonly url: string }
  /** Stored already. */
  | { readonly kind: 'digest'; readonly digest: string }

/** Characters from which a text can be base64 of a picture; VLMEvalKit takes shorter ones for the index of another row. */
const fewestBase64 = 65

/**
 * The files that a cell holds: bytes, `{bytes, path}` of Hugging Face, `{src}` of its viewer, a data URI, base64, a path, an address, or a
 * list of those (also as text). Empty for an empty cell; null for what is none of them.
 */
export function filesInCell(value: unknown): readonly FoundFile[] | null {
  if (value === null || value === undefined || value === '') return []
  if (value instanceof Uint8Array) return [bytesFound(value)]
  if (typeof value === 'string') return filesInText(value)
  if (Array.isArray(value)) {
    const found = value.map(filesInCell)
    return found.every(files => files !== null) ? found.flat() : null
  }
  return typeof value === 'object' ? filesInObject(new Map(Object.entries(value))) : null
}

function filesInText(text: string): readonly FoundFile[] | null {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed === 'nan' || trimmed === 'None') return []
  if (trimmed.startsWith('[')) {
    const list = listIn(trimmed)
    return list && filesInCell(list)
  }
  if (/^sha256:[0-9a-f]{64}$/.test(trimmed)) return [{ kind: 'digest', digest: trimmed }]
  if (/^https?:\/\//i.test(trimmed)) return [{ kind: 'address', url: trimmed }]
  if (/^data:/i.test(trimmed)) return dataUri(trimmed)
  if (trimmed.length >= fewestBase64 && isBase64(trimmed)) return [bytesFound(Buffer.from(trimmed, 'base64'))]
  return trimmed.length > 1000 ? null : [{ kind: 'path', path: trimmed.replace(/^file:\/\//i, '') }]
}

function filesInObject(value: ReadonlyMap<string, unknown>): readonly FoundFile[] | null {
  const path = value.get('path')
  const name = typeof path === 'string' ? path : null
  const bytes = value.get('bytes')
  if (bytes instanceof Uint8Array) return [{ ...bytesFound(bytes), name }]
  if (typeof bytes === 'string' && bytes !== '') return filesInText(bytes)
  if (Array.isArray(bytes) && bytes.every(byte => typeof byte === 'number')) return [{ ...bytesFound(Uint8Array.from(bytes)), name }]
  for (const key of ['src', 'url', 'data', 'path']) {
    const inner = value.get(key)
    if (typeof inner === 'string') return filesInText(inner)
  }
  return value.has('bytes') || value.has('path') ? [] : null
}

/** JSON, or the list of texts that Python writes. */
function listIn(text: string): unknown[] | null {
  for (const candidate of [text, text.replaceAll("'", '"')]) {
    try {
      const list: unknown = JSON.parse(candidate)
      if (Array.isArray(list)) return list
    } catch {
      // The other form, or no list.
    }
  }
  return null
}

/** `data:image/png;base64,…`, the scheme in either case, base64 with or without line breaks. */
function dataUri(text: string): readonly FoundFile[] | null {
  const comma = text.indexOf(',')
  if (comma < 0) return null
  const head = text.slice('data:'.length, comma)
  const content = text.slice(comma + 1)
  const mediaType = head.split(';')[0] || null
  if (/;base64$/i.test(head)) return isBase64(content) ? [{ ...bytesFound(Buffer.from(content, 'base64')), mediaType }] : null
  try {
    return [{ ...bytesFound(Buffer.from(decodeURIComponent(content), 'latin1')), mediaType }]
  } catch {
    return null
  }
}

function isBase64(text: string): boolean {
  return /^[\w+/\s-]+={0,2}$/.test(text.trimEnd())
}

function bytesFound(bytes: Uint8Array): Extract<FoundFile, { kind: 'bytes' }> {
  return { kind: 'bytes', bytes, mediaType: null, name: null }
}

/** Whether a cell certainly holds files, whatever its column is called: bytes, data URIs, base64 of media, or names of such files. */
export function looksLikeFiles(value: unknown): boolean {
  // Of a damaged one too, so that its row is refused and not imported without it.
  if (typeof value === 'string' && /^\s*data:(?:image|audio|video)\//i.test(value)) return true
  const found = filesInCell(value)
  if (!found || found.length === 0) return false
  return found.every(file =>
    file.kind === 'bytes'
      ? file.bytes.length >= 16 && (value instanceof Uint8Array || typeof value === 'object' || isKnown(file.bytes))
      : file.kind === 'path'
        ? isMediaName(file.path) && !/\s{2}|\n/.test(file.path)
        : file.kind === 'digest' || isMediaName(file.url.split(/[?#]/)[0] ?? ''),
  )
}

/** First bytes of PNG, JPEG, GIF, RIFF, FLAC, PDF and MP3 with a tag. */
function isKnown(bytes: Uint8Array): boolean {
  return /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF|fLaC|%PDF|ID3)/.test(Buffer.from(bytes.subarray(0, 8)).toString('latin1'))
}
