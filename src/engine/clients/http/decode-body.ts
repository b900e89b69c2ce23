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

/** The body of a reply as its head says to read it: decompressed, and text in UTF-8. @param limit Most bytes of either. */
export async function decodeReply(body: Buffer, headers: IncomingHttpHeaders, limit: number): Promise<DecodedBody> {
  const decoded = await decodeBody(body, headers['content-encoding'], limit)
  const text = decoded.body && inUtf8(decoded.body, headers['content-type'])
  if (text && text.length > limit && text !== decoded.body) return { fault: 'too_large' }
  return text ? { body: text } : decoded
}

/** Text is practically never UTF-8 by chance, while servers that send UTF-8 name any charset by default: the name counts for the rest. */
function inUtf8(body: Buffer, contentType: string | undefined): Buffer {
  const decoder = namedDecoder(contentType)
  if (decoder === null) return body
  const mark = marks[decoder.encoding]
  if (isUtf8(body) && (mark === undefined || !body.includes(mark))) return body
  return Buffer.from(decoder.decode(body))
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
