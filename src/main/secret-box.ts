import type { SafeStorage } from 'electron'
import type { SecretBox } from '../service/host.ts'

/** The part of Electron's `safeStorage` that is used: its asynchronous interface, which alone outlives Electron 45. */
export type Keychain = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>

/** What Chromium writes before a cipher that it made on Linux with the key that is the same in every copy of it. */
const fixedKeyTag = 'v10'

const noKeychain =
  'This system offers no keychain, so Assay cannot store provider keys here. Sign in to a desktop session with a keychain and start Assay again.'
const fixedKey =
  'No keyring is running, and without one the system would lock provider keys with a password that is the same on every computer. Install and unlock GNOME Keyring or KWallet, then start Assay again.'

/** Encrypts with the key that the operating system keeps for Assay. */
export function createKeychainSecretBox(keychain: Keychain, platform: NodeJS.Platform): SecretBox {
  let sound = false

  async function unavailableReason(): Promise<string | null> {
    if (sound) return null
    if (!(await keychain.isAsyncEncryptionAvailable())) return noKeychain
    if (platform === 'linux' && (await hasFixedKey(keychain))) return fixedKey
    sound = true
    return null
  }

  return {
    unavailableReason,
    async encrypt(plain) {
      const reason = await unavailableReason()
      if (reason !== null) throw new Error(reason)
      return keychain.encryptStringAsync(plain)
    },
    async decrypt(cipher) {
      try {
        const { result } = await keychain.decryptStringAsync(Buffer.from(cipher))
        return result
      } catch (cause) {
        throw new Error(
          'A stored provider key cannot be read with the keychain of this user on this computer: it was stored by another user, on another computer or by the headless service. Enter the key again.',
          { cause },
        )
      }
    },
  }
}

/**
 * Whether the keyring is missing and its fallback, a constant key, would encrypt the secrets. The name of the backend tells what was
 * chosen from the kind of desktop; only a cipher tells which key was really used, for a chosen keyring may not answer.
 */
async function hasFixedKey(keychain: Keychain): Promise<boolean> {
  if (keychain.getSelectedStorageBackend() === 'basic_text') return true
  const probe = await keychain.encryptStringAsync('probe')
  return probe.subarray(0, fixedKeyTag.length).toString('latin1') === fixedKeyTag
}
