import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { SecretBox } from '../service/host.ts'
import { loadDataKey } from './data-key.ts'

/**
 * Layout of a cipher: four bytes that name the format and its version, the nonce, the authentication tag, the encrypted text. The
 * name is authenticated too, so a cipher cannot be passed off as one of another version.
 */
const format = Buffer.from('ASB1', 'latin1')
const nonceLength = 12
const tagLength = 16
const headLength = format.length + nonceLength + tagLength

/**
 * Encrypts with AES-256-GCM under a key file: the one that ASSAY_SECRET_KEY_FILE names, else `secret.key` in the data folder, which
 * is made at the first use.
 */
export function createFileSecretBox(dataDir: string, env: NodeJS.ProcessEnv = process.env): SecretBox {
  const given = env['ASSAY_SECRET_KEY_FILE']
  const file = given ? { path: given, create: false } : { path: join(dataDir, 'secret.key'), create: true }
  let loaded: Promise<Buffer> | null = null

  /** Loads the key once. A failure is not kept, so that mending the file is enough. */
  function key(): Promise<Buffer> {
    loaded ??= loadDataKey(file).catch((error: unknown) => {
      loaded = null
      throw error
    })
    return loaded
  }

  return {
    async unavailableReason() {
      try {
        await key()
        return null
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    },
    async encrypt(plain) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', await key(), nonce, { authTagLength: tagLength }).setAAD(format)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([format, nonce, cipher.getAuthTag(), body])
    },
    async decrypt(cipher) {
      const bytes = Buffer.from(cipher)
      if (bytes.length < headLength || !bytes.subarray(0, format.length).equals(format)) {
        throw new Error(
          'A stored provider key was not written by the headless service: the desktop app keeps its keys in the keychain. Enter the key again.',
        )
      }
      const nonce = bytes.subarray(format.length, format.length + nonceLength)
      const tag = bytes.subarray(format.length + nonceLength, headLength)
      const decipher = createDecipheriv('aes-256-gcm', await key(), nonce, { authTagLength: tagLength })
        .setAAD(format)
        .setAuthTag(tag)
      try {
        return Buffer.concat([decipher.update(bytes.subarray(headLength)), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new Error(
          `A stored provider key cannot be read with the key file ${file.path}: it was written with another one, or changed since. Bring back the right key file or enter the key again.`,
          { cause },
        )
      }
    },
  }
}
