import { isUtf8 } from 'node:buffer'
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

/**
 * Text in UTF-8, whatever charset its `Content-Type` names; as it is where that cannot be told.
 * Latin-1 is what many servers name by default while they send UTF-8, so it counts only for what is not UTF-8.
 */
export function inUtf8(body: Buffer, contentType: string | undefined): Buffer {
  const decoder = namedDecoder(contentType)
  if (decoder === null || (decoder.encoding === 'windows-1252' && isUtf8(body))) return body
  return Buffer.from(decoder.decode(body))
}
