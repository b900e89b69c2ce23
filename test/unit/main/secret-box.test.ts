import { describe, expect, test, vi } from 'vitest'
import { createKeychainSecretBox, type Keychain } from '../../../src/main/secret-box.ts'

const place = { workspaceId: 'w', table: 'connections', rowId: 'c', origin: 'https://a.example' } as const

/** A keychain that marks its ciphers with `tag`, as Chromium marks them with the key it used. */
function keychain(changes: Partial<Keychain> = {}, tag = 'v11'): Keychain {
  return {
    isAsyncEncryptionAvailable: async () => true,
    getSelectedStorageBackend: () => 'gnome_libsecret',
    encryptStringAsync: async text => Buffer.from(`${tag}${text}`),
    decryptStringAsync: async cipher => ({ shouldReEncrypt: false, result: cipher.toString().slice(tag.length) }),
    ...changes,
  }
}

describe('keychain secret box', () => {
  test.each(['linux', 'darwin', 'win32'] as const)('stores and returns a secret on %s', async platform => {
    const box = createKeychainSecretBox(keychain(), platform)
    expect(await box.unavailableReason()).toBeNull()
    const cipher = await box.encrypt('sk-1 ü', place)
    expect(await box.decrypt(Uint8Array.from(cipher), place)).toBe('sk-1 ü')
  })

  test('says what to do where the system offers no keychain, and encrypts nothing', async () => {
    const box = createKeychainSecretBox(keychain({ isAsyncEncryptionAvailable: async () => false }), 'darwin')
    expect(await box.unavailableReason()).toContain('no keychain')
    await expect(box.encrypt('sk-1', place)).rejects.toThrow('no keychain')
  })

  test('refuses the backend that locks with a password known to all', async () => {
    const box = createKeychainSecretBox(keychain({ getSelectedStorageBackend: () => 'basic_text' }), 'linux')
    expect(await box.unavailableReason()).toContain('the same on every computer')
    await expect(box.encrypt('sk-1', place)).rejects.toThrow('GNOME Keyring or KWallet')
  })

  test('refuses that password too where a keyring was chosen and did not answer', async () => {
    const box = createKeychainSecretBox(keychain({}, 'v10'), 'linux')
    expect(await box.unavailableReason()).toContain('the same on every computer')
  })

  test('does not take the mark of the ordinary key on a Mac for it', async () => {
    expect(await createKeychainSecretBox(keychain({}, 'v10'), 'darwin').unavailableReason()).toBeNull()
  })

  test.each([
    ['darwin', 'choose Always Allow'],
    ['linux', 'the prompt was closed, or the keyring is locked'],
    ['win32', 'did not give Assay a key'],
  ] as const)('says so where the keychain is there and gives no key, as after a refused prompt (%s)', async (platform, words) => {
    const refusing = keychain({ encryptStringAsync: async () => Promise.reject(new Error('Error while encrypting the text')) })
    const box = createKeychainSecretBox(refusing, platform)
    expect(await box.unavailableReason()).toContain(words)
    await expect(box.encrypt('sk-1', place)).rejects.toThrow(words)
  })

  test('tells a keychain that does not answer now from a secret that it cannot read', async () => {
    let answers = true
    const box = createKeychainSecretBox(
      keychain({
        decryptStringAsync: async cipher =>
          answers
            ? { shouldReEncrypt: false, result: cipher.toString().slice(3) }
            : Promise.reject(new Error('safeStorage.decryptStringAsync is temporarily unavailable. Please try again.')),
      }),
      'linux',
    )
    const cipher = await box.encrypt('sk-1', place)
    answers = false
    await expect(box.decrypt(cipher, place)).rejects.toThrow('Unlock it and try again; nothing that is stored was lost.')
    answers = true
    expect(await box.decrypt(cipher, place)).toBe('sk-1')
  })

  test('looks again after a refusal, since a keyring may be unlocked later', async () => {
    const available = vi.fn<() => Promise<boolean>>().mockResolvedValueOnce(false).mockResolvedValue(true)
    const box = createKeychainSecretBox(keychain({ isAsyncEncryptionAvailable: available }), 'darwin')
    expect(await box.unavailableReason()).not.toBeNull()
    expect(await box.unavailableReason()).toBeNull()
  })

  test('explains a cipher that it cannot read, without showing it', async () => {
    const broken = keychain({ decryptStringAsync: async () => Promise.reject(new Error('Error while decrypting the ciphertext')) })
    await expect(createKeychainSecretBox(broken, 'linux').decrypt(Buffer.from('v11secret'), place)).rejects.toThrow(
      /^A stored secret cannot be read .* Enter it again\.$/,
    )
  })

  test('opens no secret for another row, workspace, table or address', async () => {
    const box = createKeychainSecretBox(keychain(), 'darwin')
    const cipher = await box.encrypt('sk-1', place)
    const others = [
      { rowId: 'd' },
      { workspaceId: 'v' },
      { table: 'remote_scorers' as const },
      { origin: 'https://b.example' },
      { origin: null },
    ]
    for (const other of others)
      await expect(box.decrypt(cipher, { ...place, ...other }), JSON.stringify(other)).rejects.toThrow('for another entry or address')
  })

  test('notices a change of the sealed part although the keychain notices none', async () => {
    const box = createKeychainSecretBox(keychain(), 'darwin')
    const cipher = Buffer.from(await box.encrypt('sk-1', place))
    cipher.writeUInt8(cipher.readUInt8(cipher.length - 1) ^ 1, cipher.length - 1)
    await expect(box.decrypt(cipher, place)).rejects.toThrow('cannot be read')
  })

  test('seals what an earlier version stored, once', async () => {
    const box = createKeychainSecretBox(keychain(), 'darwin')
    const former = await keychain().encryptStringAsync('sk-old')
    await expect(box.decrypt(former, place)).rejects.toThrow('cannot be read')
    const sealed = await box.sealFormer(former, place)
    expect(sealed && (await box.decrypt(sealed, place))).toBe('sk-old')
    expect(sealed && (await box.sealFormer(sealed, place))).toBeNull()
  })
})
