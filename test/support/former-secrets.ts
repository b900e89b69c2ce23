import { createCipheriv, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A secret as versions stored it that sealed none to its place. */
export function sealFormerly(dataDir: string, plain: string): Buffer {
  const key = Buffer.from(readFileSync(join(dataDir, 'secret.key'), 'latin1').trim(), 'base64')
  const [format, nonce] = [Buffer.from('ASB1'), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 }).setAAD(format)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([format, nonce, cipher.getAuthTag(), body])
}
