import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createZip } from '../../../../src/engine/archives/write-zip.ts'
import { checkSignature } from '../../../../src/engine/importing/packages/checks/signature.ts'
import { type OpenedPackage, openPackage, signaturePath } from '../../../../src/engine/importing/packages/open-package.ts'
import { initPackage } from '../../../../src/headless/packages/init-package.ts'
import { packFolder } from '../../../../src/headless/packages/pack-folder.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const namespaces = ['first', 'second'] as const
type Namespace = (typeof namespaces)[number]

const folder = temporaryFolder()
const keys = Object.fromEntries(
  namespaces.map(name => [
    name,
    generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }),
  ]),
) as Record<Namespace, { publicKey: string; privateKey: string }>
const signed = {} as Record<Namespace, OpenedPackage>
beforeAll(async () => {
  for (const name of namespaces) {
    const path = join(folder.path, name)
    mkdirSync(path)
    initPackage(path, { namespace: name, name: 'work' })
    signed[name] = openPackage((await packFolder(path, keys[name].privateKey)).zip)
  }
})
afterAll(() => folder.remove())

const filesOf = (opened: OpenedPackage) => new Map(opened.files.map(({ path }) => [path, opened.read(path)]))

async function repacked(files: ReadonlyMap<string, Buffer>): Promise<OpenedPackage> {
  const chunks: Uint8Array[] = []
  const archive = createZip(chunk => void chunks.push(chunk))
  for (const [path, content] of files) await archive.add(path, content)
  await archive.end()
  return openPackage(Buffer.concat(chunks))
}

describe('a package is signed for the namespace that its manifest names', () => {
  const other = { first: 'second', second: 'first' } as const
  test.each(namespaces)('by its own key and by no other: %s', name => {
    expect(checkSignature(signed[name], keys[name].publicKey).signature).toBe('valid')
    expect(checkSignature(signed[name], keys[other[name]].publicKey).signature).toBe('invalid')
    expect(checkSignature(signed[name], null).signature).toBe('invalid')
  })

  test.each(namespaces)('so another’s signature does not fit: %s', async name => {
    const files = filesOf(signed[name])
    const foreign = filesOf(signed[other[name]])
    // The signature of the other namespace beside these files, by whichever of both keys it is checked.
    files.set(signaturePath, foreign.get(signaturePath) ?? Buffer.alloc(0))
    const mixed = await repacked(files)
    for (const { publicKey } of Object.values(keys)) expect(checkSignature(mixed, publicKey).signature).toBe('invalid')
    const own = filesOf(signed[name]).get(signaturePath) ?? Buffer.alloc(0)
    const moved = await repacked(new Map([...foreign, [signaturePath, own]]))
    for (const { publicKey } of Object.values(keys)) expect(checkSignature(moved, publicKey).signature).toBe('invalid')
  })

  test('and a flood of signatures is refused before any is verified', async () => {
    const files = filesOf(signed.first)
    const envelope = JSON.parse(String(files.get(signaturePath))) as { signatures: object[] }
    envelope.signatures = Array.from({ length: 1_000 }, () => envelope.signatures[0] ?? {})
    files.set(signaturePath, Buffer.from(JSON.stringify(envelope)))
    const { result } = checkSignature(await repacked(files), keys.first.publicKey)
    expect(result).toMatchObject({ outcome: 'fail', detail: expect.stringContaining('is no DSSE envelope') })
  })
})
