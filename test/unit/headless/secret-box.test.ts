import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFileSecretBox } from '../../../src/headless/secret-box.ts'
import { sealFormerly } from '../../support/former-secrets.ts'

const place = { workspaceId: 'w', table: 'connections', rowId: 'c', origin: 'https://a.example' } as const

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'assay-secrets-'))
})
afterEach(() => rm(dir, { recursive: true }))

const box = () => createFileSecretBox(dir, {})
const sealedFormerly = async (plain: string) => {
  await box().unavailableReason()
  return sealFormerly(dir, plain)
}
const keyFile = () => join(dir, 'secret.key')
const keyText = (byte: number) => `${Buffer.alloc(32, byte).toString('base64')}\n`

describe('file secret box', () => {
  test('gives back what it took, also after a restart', async () => {
    const cipher = await box().encrypt('sk-ü-🔑', place)
    expect(await box().decrypt(cipher, place)).toBe('sk-ü-🔑')
    expect(Buffer.from(cipher).toString('latin1')).not.toContain('sk-')
  })

  test('makes two ciphers of one secret, each marked with the version of the format', async () => {
    const [first, second] = [await box().encrypt('sk-1', place), await box().encrypt('sk-1', place)]
    expect(Buffer.from(first).equals(second)).toBe(false)
    for (const cipher of [first, second]) expect(Buffer.from(cipher).subarray(0, 4).toString()).toBe('ASB2')
  })

  test('notices a change of any byte', async () => {
    const cipher = await box().encrypt('sk-1', place)
    for (let i = 0; i < cipher.length; i++) {
      const changed = Uint8Array.from(cipher)
      changed.set([(changed[i] ?? 0) ^ 1], i)
      await expect(box().decrypt(changed, place), `byte ${i}`).rejects.toThrow('A stored secret')
    }
  })

  test.each([0, 3, 4, 31])('refuses %i bytes', async length => {
    const cipher = await box().encrypt('sk-1', place)
    await expect(box().decrypt(cipher.subarray(0, length), place)).rejects.toThrow(
      'was not written by this version of the headless service',
    )
  })

  test('explains a cipher of another key', async () => {
    const cipher = await box().encrypt('sk-1', place)
    await writeFile(keyFile(), keyText(7))
    await expect(box().decrypt(cipher, place)).rejects.toThrow(`cannot be read with the key file ${keyFile()}`)
  })

  test('explains a cipher of the desktop app', async () => {
    await expect(box().decrypt(Buffer.from(`v11${'x'.repeat(60)}`), place)).rejects.toThrow(
      'the desktop app keeps its secrets in the keychain',
    )
  })
})

describe('a place', () => {
  test.each([
    { rowId: 'd' },
    { workspaceId: 'v' },
    { table: 'remote_scorers' as const },
    { origin: 'https://b.example' },
    { origin: null },
    // The parts cannot be shifted into each other.
    { workspaceId: 'w","connections', table: 'c' as never, rowId: 'https://a.example' },
  ])('is part of the cipher: %o opens nothing', async other => {
    const cipher = await box().encrypt('sk-1', place)
    await expect(box().decrypt(cipher, { ...place, ...other })).rejects.toThrow('stored for another entry or address')
  })

  test('is given once to what an earlier version stored, which is not decrypted before', async () => {
    const former = await sealedFormerly('sk-old')
    await expect(box().decrypt(former, place)).rejects.toThrow('not written by this version')
    const sealed = await box().sealFormer(former, place)
    expect(sealed && (await box().decrypt(sealed, place))).toBe('sk-old')
    expect(sealed && (await box().sealFormer(sealed, place))).toBeNull()
  })
})

describe('key file', () => {
  test('is made at the first use, for its owner alone, and used again', async () => {
    expect(await box().unavailableReason()).toBeNull()
    const text = await readFile(keyFile(), 'utf8')
    expect(Buffer.from(text.trim(), 'base64')).toHaveLength(32)
    if (process.platform !== 'win32') expect((await stat(keyFile())).mode & 0o777).toBe(0o600)
    await box().encrypt('sk-1', place)
    expect(await readFile(keyFile(), 'utf8')).toBe(text)
  })

  test('is made once when many first uses meet, and leaves nothing beside it', async () => {
    const boxes = Array.from({ length: 20 }, box)
    const ciphers = await Promise.all(boxes.map((each, i) => each.encrypt(`secret ${i}`, place)))
    const last = box()
    expect(await Promise.all(ciphers.map(cipher => last.decrypt(cipher, place)))).toEqual(boxes.map((_each, i) => `secret ${i}`))
    expect(await readdir(dir)).toEqual(['secret.key'])
  })

  test.skipIf(process.platform === 'win32').each([0o640, 0o604, 0o660, 0o644])(
    'is refused while others can use it: mode %o (Windows keeps no such bits)',
    async mode => {
      await writeFile(keyFile(), keyText(1))
      await chmod(keyFile(), mode)
      const refusing = box()
      const reason = `The secret key file ${keyFile()} can be used by other users (mode 0${mode.toString(8)}). Run: chmod 600 ${keyFile()}.`
      expect(await refusing.unavailableReason()).toContain(reason)
      await expect(refusing.encrypt('sk-1', place)).rejects.toThrow(reason)
      await chmod(keyFile(), 0o600)
      expect(await refusing.unavailableReason()).toBeNull()
    },
  )

  test.each([
    '',
    'short',
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('base64'),
    `${Buffer.alloc(32).toString('base64')}=`,
    'é'.repeat(44),
  ])('is refused when it holds %j', async text => {
    await writeFile(keyFile(), text, { mode: 0o600 })
    expect(await box().unavailableReason()).toContain('does not hold a key')
  })

  test('is the one that ASSAY_SECRET_KEY_FILE names, where it names one', async () => {
    const given = join(dir, 'given.key')
    await writeFile(given, keyText(9), { mode: 0o600 })
    const named = createFileSecretBox(dir, { ASSAY_SECRET_KEY_FILE: given })
    expect(await named.decrypt(await named.encrypt('sk-1', place), place)).toBe('sk-1')
    await expect(stat(keyFile())).rejects.toThrow('ENOENT')
  })

  test('is not made in place of a named one that is missing', async () => {
    const missing = createFileSecretBox(dir, { ASSAY_SECRET_KEY_FILE: join(dir, 'typo.key') })
    expect(await missing.unavailableReason()).toContain('typo.key does not exist. Make it with')
  })

  test('is not made in a folder that is not there', async () => {
    expect(await createFileSecretBox(join(dir, 'gone'), {}).unavailableReason()).toContain('ENOENT')
  })
})
