import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'

const decoders: Readonly<Record<string, (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
}

export type DecodedBody =
  | { readonly body: Buffer; readonly fault?: never }
  | { readonly body?: never; readonly fault: 'too_large' | 'undecodable' }

/**
 * Undoes a `Content-Encoding`. Assay asks for none, so this is for servers that do not listen.
 * @param limit Most bytes to decode; a small body can hold gigabytes, so it counts what comes out.
 */
export async function decodeBody(body: Buffer, encoding: string | undefined, limit: number): Promise<DecodedBody> {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity' || body.length === 0) return { body }
  const decode = decoders[name]
  if (!decode) return { fault: 'undecodable' }
  try {
    return { body: await decode(body, { maxOutputLength: limit }) }
  } catch (error) {
    return { fault: error instanceof RangeError ? 'too_large' : 'undecodable' }
  }
}

type DecodedReply = { readonly body: Buffer; readonly isDamaged: boolean; readonly fault?: never } | Extract<DecodedBody, { body?: never }>

/**
 * The body of a reply as its head says to read it: decompressed, and text in UTF-8; damaged where bytes of it are of no character.
 * @param limit Most bytes of either.
 */
export async function decodeReply(body: Buffer, headers: IncomingHttpHeaders, limit: number): Promise<DecodedReply> {
  const decoded = await decodeBody(body, headers['content-encoding'], limit)
  if (!decoded.body) return decoded
  const read = inUtf8(decoded.body, headers['content-type'])
  return read.body.length > limit && read.body !== decoded.body ? { fault: 'too_large' } : read
}

/** Text is practically never UTF-8 by chance, while servers that send UTF-8 name any charset by default: the name counts for the rest. */
function inUtf8(body: Buffer, contentType: string | undefined): { readonly body: Buffer; readonly isDamaged: boolean } {
  const decoder = namedDecoder(contentType)
  const mark = marks[decoder?.encoding ?? '']
  if (decoder === null || ((mark === undefined || !body.includes(mark)) && isMostlyUtf8(body))) return { body, isDamaged: !isUtf8(body) }
  const encoding = decoder.encoding.startsWith('utf-16') ? utf16Of(body) : decoder.encoding
  try {
    return { body: Buffer.from(new TextDecoder(encoding, { fatal: true }).decode(body)), isDamaged: false }
  } catch {
    return { body: Buffer.from(new TextDecoder(encoding).decode(body)), isDamaged: true }
  }
}

/** A limit of tokens may cut a character. Text of another charset has hardly three characters by chance for each that it has not. */
function isMostlyUtf8(body: Buffer): boolean {
  if (isUtf8(body)) return true
  const beyondAscii = body.toString().replaceAll(/[\0-\x7f]+/g, '')
  const lost = beyondAscii.split('\ufffd').length - 1
  return beyondAscii.length - lost >= 3 * lost
}

/** The name alone leaves the order of bytes open: a byte order mark settles it, and so does the ASCII that JSON and events begin with. */
function utf16Of(body: Buffer): string {
  return body[0] === 0 || (body[0] === 0xfe && body[1] === 0xff) ? 'utf-16be' : 'utf-16le'
}

/** Charsets whose text passes for UTF-8, by a byte that is in all of it, or all beyond ASCII, and in no JSON. */
const marks: Readonly<Record<string, number>> = { 'utf-16le': 0, 'utf-16be': 0, 'iso-2022-jp': 0x1b }

/** The decoder for the charset that a `Content-Type` names; null: it names none, UTF-8, or one that is not known. */
export function namedDecoder(contentType = ''): InstanceType<typeof TextDecoder> | null {
  const name = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1]
  if (name === undefined) return null
  try {
    const decoder = new TextDecoder(name)
    return decoder.encoding === 'utf-8' ? null : decoder
  } catch {
    return null
  }
}
