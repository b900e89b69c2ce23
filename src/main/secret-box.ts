import { randomBytes } from 'node:crypto'
import type { SafeStorage } from 'electron'
import { openWith, sealWith } from '../headless/seal-secret.ts'
import type { SecretBox } from '../service/host.ts'

/** The part of Electron's `safeStorage` that is used: its asynchronous interface, which alone outlives Electron 45. */
export type Keychain = Pick<SafeStorage, 'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync'> &
  // Only on Linux.
  Partial<Pick<SafeStorage, 'getSelectedStorageBackend'>>

/** What Chromium writes before a cipher that it made on Linux with the key that is the same in every copy of it. */
const fixedKeyTag = 'v10'

const noKeychain =
  'This system offers no keychain, so Assay cannot store provider keys here. Sign in to a desktop session with a keychain and start Assay again.'
const fixedKey =
  'No keyring is running, and without one the system would lock provider keys with a password that is the same on every computer. Install and unlock GNOME Keyring or KWallet, then start Assay again.'

const refused: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  darwin:
    'macOS did not let Assay use its entry “Assay Safe Storage” in your keychain. Try again and choose Always Allow, or unlock the login keychain in Keychain Access.',
  linux: 'The keyring did not give Assay a key: the prompt was closed, or the keyring is locked. Unlock it and try again.',
}
const noKey = 'The system’s keychain did not give Assay a key. Unlock it, then start Assay again.'
const unavailableNow = 'The keychain does not answer at the moment. Unlock it and try again; nothing that is stored was lost.'
/** In Electron's message of a failure that passes. */
const passing = /temporarily unavailable/

/**
 * What a cipher begins with: the format and its version. The length of the locked key in two bytes, that key and the sealed secret follow.
 * A cipher without it is the keychain's own, of versions that sealed a secret to no place.
 */
const format = 'ASK2'
const headLength = format.length + 2

/**
 * Encrypts each secret with a key of its own, which the operating system's keychain locks: the keychain itself takes no associated data,
 * and on some systems does not notice a change.
 */
export function createKeychainSecretBox(keychain: Keychain, platform: NodeJS.Platform): SecretBox {
  let sound = false

  async function unavailableReason(): Promise<string | null> {
    if (sound) return null
    if (!(await keychain.isAsyncEncryptionAvailable())) return noKeychain
    if (platform === 'linux' && keychain.getSelectedStorageBackend?.() === 'basic_text') return fixedKey
    // "Available" is true without a key as well, and a chosen keyring may not answer: only a cipher tells.
    const probe = await keychain.encryptStringAsync('probe').catch(() => null)
    if (probe === null) return refused[platform] ?? noKey
    if (platform === 'linux' && probe.subarray(0, fixedKeyTag.length).toString('latin1') === fixedKeyTag) return fixedKey
    sound = true
    return null
  }

  return {
    unavailableReason,
    async encrypt(plain, place) {
      const reason = await unavailableReason()
      if (reason !== null) throw new Error(reason)
      const key = randomBytes(32)
      const locked = await keychain.encryptStringAsync(key.toString('base64'))
      const head = Buffer.alloc(headLength, format)
      head.writeUInt16BE(locked.length, format.length)
      return Buffer.concat([head, locked, sealWith(key, format, plain, place)])
    },
    async decrypt(cipher, place) {
      try {
        const bytes = Buffer.from(cipher)
        if (!isSealed(bytes)) throw new Error('not sealed to a place')
        const sealedAt = headLength + bytes.readUInt16BE(format.length)
        const { result } = await keychain.decryptStringAsync(bytes.subarray(headLength, sealedAt))
        return openWith(Buffer.from(result, 'base64'), format, bytes.subarray(sealedAt), place)
      } catch (cause) {
        if (cause instanceof Error && passing.test(cause.message)) throw new Error(unavailableNow, { cause })
        throw new Error(
          'A stored secret cannot be read with the keychain of this user on this computer: it was stored by another user, on another computer, by the headless service, or for another entry or address. Enter it again.',
          { cause },
        )
      }
    },
    async sealFormer(cipher, place) {
      const bytes = Buffer.from(cipher)
      if (isSealed(bytes)) return null
      return this.encrypt((await keychain.decryptStringAsync(bytes)).result, place)
    },
  }
}

function isSealed(bytes: Buffer): boolean {
  return bytes.subarray(0, format.length).toString('latin1') === format
}
