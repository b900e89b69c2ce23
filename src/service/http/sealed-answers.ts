import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { ApiError } from '../../contract/errors.ts'

/** Writes a remembered answer so that the database alone does not give it away. */
export interface AnswerSeal {
  close(body: string): string
  /** @throws ApiError conflict when it was closed under another token. */
  open(sealed: string): string
}

const nonceLength = 12
const tagLength = 16

/**
 * Seals answers that hold a secret (AES-256-GCM) under a key made from the asking token and the Idempotency-Key. Of the token only
 * the hash is stored, so only the original caller can replay the answer.
 */
export function sealUnder(token: string, idempotencyKey: string): AnswerSeal {
  const key = Buffer.from(hkdfSync('sha256', token, idempotencyKey, 'assay idempotent answer', 32))
  return {
    close: body => {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      return Buffer.concat([nonce, cipher.update(body, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
    },
    open: sealed => {
      const bytes = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength)).setAuthTag(bytes.subarray(-tagLength))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()]).toString('utf8')
      } catch {
        throw new ApiError(
          'conflict',
          'What this Idempotency-Key made was shown to another token of the same principal and cannot be shown again. Use a new key.',
        )
      }
    },
  }
}
