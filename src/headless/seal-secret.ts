import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SecretPlace } from '../service/host.ts'

const nonceLength = 12
const tagLength = 16

/** Length of a sealed text without the text. */
export const sealLength = nonceLength + tagLength

/**
 * AES-256-GCM: the nonce, the authentication tag, the encrypted text. The associated data are the name of the format and the place, so
 * neither can be passed off as another.
 */
export function sealWith(key: Uint8Array, format: string, plain: string, place: SecretPlace): Buffer {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength }).setAAD(associated(format, place))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** @param place null: of the versions that sealed to no place. @throws Error where key, format, place or bytes are others */
export function openWith(key: Uint8Array, format: string, sealed: Buffer, place: SecretPlace | null): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceLength), { authTagLength: tagLength })
    .setAAD(associated(format, place))
    .setAuthTag(sealed.subarray(nonceLength, sealLength))
  return Buffer.concat([decipher.update(sealed.subarray(sealLength)), decipher.final()]).toString('utf8')
}

function associated(format: string, place: SecretPlace | null): Buffer {
  const parts = place === null ? '' : JSON.stringify([place.workspaceId, place.table, place.rowId, place.origin])
  return Buffer.from(format + parts, 'utf8')
}
