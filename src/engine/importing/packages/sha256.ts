import { createHash } from 'node:crypto'

/** In hexadecimal, as manifests state it. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
