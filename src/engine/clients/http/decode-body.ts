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
