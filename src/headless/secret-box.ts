import { join } from 'node:path'
import type { SecretBox } from '../service/host.ts'
import { loadDataKey } from './data-key.ts'
import { openWith, sealLength, sealWith } from './seal-secret.ts'
import { messageOf } from '../lib/message-of.ts'

/** What a cipher begins with: the format and its version. */
const format = 'ASB2'
/** Of versions that sealed a secret to no place. */
const formerFormat = 'ASB1'

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
        return messageOf(error)
      }
    },
    async encrypt(plain, place) {
      return Buffer.concat([Buffer.from(format), sealWith(await key(), format, plain, place)])
    },
    async decrypt(cipher, place) {
      const sealed = sealedPart(cipher, format)
      if (!sealed)
        throw new Error(
          'A stored secret was not written by this version of the headless service: the desktop app keeps its secrets in the keychain. Enter it again.',
        )
      const secretKey = await key()
      try {
        return openWith(secretKey, format, sealed, place)
      } catch (cause) {
        throw new Error(
          `A stored secret cannot be read with the key file ${file.path}: it was written with another key, stored for another entry or address, or changed since. Bring back the right key file or enter the secret again.`,
          { cause },
        )
      }
    },
    async sealFormer(cipher, place) {
      const sealed = sealedPart(cipher, formerFormat)
      return sealed && this.encrypt(openWith(await key(), formerFormat, sealed, null), place)
    },
  }
}

/** What follows the format; null where it is another one. */
function sealedPart(cipher: Uint8Array, name: string): Buffer | null {
  const bytes = Buffer.from(cipher)
  const isOurs = bytes.length >= name.length + sealLength && bytes.subarray(0, name.length).toString('latin1') === name
  return isOurs ? bytes.subarray(name.length) : null
}
