import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Package } from '../../src/contract/creator/packages.schemas.ts'
import { openZip } from '../../src/engine/archives/read-zip.ts'
import { assayHere } from '../support/assay-here.ts'
import { checkedPackage, ensureNamespace, packageEnd, reviewsOf, sums } from '../support/packages.ts'
import { makeZip } from '../support/make-zip.ts'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'

const folder = temporaryFolder()
const file = (name: string) => join(folder.path, name)
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const pem = { public: publicKey.export({ type: 'spki', format: 'pem' }), private: privateKey.export({ type: 'pkcs8', format: 'pem' }) }
let [here, elsewhere]: TestService[] = []
const services = () => {
  if (!here || !elsewhere) throw new Error('The services have not been started.')
  return { here, elsewhere }
}
beforeAll(async () => {
  here = await startTestService()
  elsewhere = await startTestService()
  writeFileSync(file('key.pem'), pem.private)
  writeFileSync(file('key.pub'), pem.public)
})
afterAll(async () => {
  await here?.close()
  await elsewhere?.close()
  folder.remove()
})

async function upload({ fetch, client }: TestService, bytes: Uint8Array): Promise<Package> {
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(bytes)]), 'package.zip')
  const reply = await fetch('/v1/creator/packages', { method: 'POST', body: form })
  return packageEnd(client, Package.parse(await reply.json()))
}
const exported = async ({ fetch }: TestService, { id }: Package): Promise<Buffer> =>
  Buffer.from(await (await fetch(`/v1/creator/packages/${id}/export`)).arrayBuffer())
function readZip(bytes: Buffer) {
  const archive = openZip(bytes)
  return archive.names.map(name => ({ name, content: archive.read(name) }))
}
/** What of a package must survive its way to another machine. */
const identity = ({ sha256, files, manifest, signature, tasks }: Package) => ({ sha256, files, manifest, signature, tasks })

describe('assay package', () => {
  test('packs a package whose tasks a Croissant description describes, with the digests of its files', async () => {
    await assayHere(['package', 'init', file('described'), '--namespace', 'described-work'])
    const path = file('described/assay.package.json')
    const { splits: _, fields: _f, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown> // as init wrote it
    writeFileSync(path, JSON.stringify(rest))
    const without = await assayHere(['package', 'pack', file('described')])
    expect(without).toMatchObject({ code: 2, err: expect.stringContaining('croissant.json') })
    const field = (name: string) => ({
      '@type': 'cr:Field',
      '@id': `tasks/${name}`,
      source: { fileObject: { '@id': 'tasks' }, extract: { column: name } },
    })
    const croissant = {
      '@type': 'sc:Dataset',
      conformsTo: 'http://mlcommons.org/croissant/1.1',
      distribution: [{ '@type': 'cr:FileObject', '@id': 'tasks', contentUrl: 'tasks.jsonl' }],
      recordSet: [{ '@type': 'cr:RecordSet', '@id': 'tasks', field: ['id', 'question', 'answer'].map(field) }],
    }
    writeFileSync(file('described/croissant.json'), JSON.stringify(croissant))
    const packed = await assayHere(['package', 'pack', file('described'), '--out', file('described.zip')])
    expect(packed).toMatchObject({ code: 0, out: expect.stringContaining('described.zip') })
    expect(readZip(readFileSync(file('described.zip'))).map(({ name }) => name)).toEqual([
      'assay.package.json',
      'tasks.jsonl',
      'croissant.json',
    ])
  })

  test('writes a package that passes every check, packs it to the same bytes each time and signs it', async () => {
    expect(await assayHere(['package', 'init', file('own'), '--namespace', 'signed-work'])).toMatchObject({ code: 0 })
    const checked = await assayHere(['package', 'check', file('own'), '--json', '--quiet'])
    expect(checked.code).toBe(0)
    const { checks } = JSON.parse(checked.out) as { checks: { check: string; outcome: string }[] } // reviews, as the contract has them
    expect(checks).toHaveLength(15)
    const pack = (name: string) => assayHere(['package', 'pack', file('own'), '--out', file(name), '--key', file('key.pem')])
    await pack('a.zip')
    await pack('b.zip')
    expect(readFileSync(file('a.zip')).equals(readFileSync(file('b.zip')))).toBe(true)
  })

  test('packs beside the manifest, or where --out says, and names the namespace that an upload needs', async () => {
    await assayHere(['package', 'init', file('placed'), '--namespace', 'placed-work', '--name', 'placed'])
    const name = 'placed-work.placed-0.1.0.zip'
    const packed = await assayHere(['package', 'pack', file('placed'), '--json'])
    expect(JSON.parse(packed.out)).toMatchObject({ file: join(file('placed'), name) })
    const { out } = await assayHere(['package', 'pack', file('placed'), '--out', folder.path, '--json'])
    expect(JSON.parse(out)).toMatchObject({ file: file(name) })
    expect(readFileSync(file(name)).equals(readFileSync(join(file('placed'), name)))).toBe(true)
    const nowhere = await assayHere(['package', 'pack', file('placed'), '--out', join(folder.path, 'missing', 'x.zip')])
    expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('could not be written') })
    const checked = await assayHere(['package', 'check', file(name)])
    expect(checked).toMatchObject({ code: 0, err: expect.stringContaining('An upload needs the namespace "placed-work"') })
  })

  test('replaces another zip only by force, and no file of the package at all', async () => {
    await assayHere(['package', 'init', file('zips')])
    const out = file('zips.zip')
    const pack = (target: string, ...more: string[]) => assayHere(['package', 'pack', file('zips'), '--out', target, ...more])
    expect((await pack(out)).code).toBe(0)
    expect((await pack(out)).code).toBe(0)
    writeFileSync(out, 'something else')
    expect(await pack(out)).toMatchObject({ code: 2, err: expect.stringContaining('--force') })
    expect((await pack(out, '--force')).code).toBe(0)
    const tasks = readFileSync(file('zips/tasks.jsonl'), 'utf8')
    for (const own of ['tasks.jsonl', 'assay.package.json'])
      expect(await pack(file(`zips/${own}`), '--force')).toMatchObject({
        code: 2,
        err: expect.stringContaining('is a file of the package'),
      })
    expect(readFileSync(file('zips/tasks.jsonl'), 'utf8')).toBe(tasks)
  })

  test('refuses to overwrite a package, and files outside of the folder', async () => {
    const again = await assayHere(['package', 'init', file('own')])
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('was left as it is') })
    await assayHere(['package', 'init', file('thief')])
    const path = file('thief/assay.package.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"tasks.jsonl"', '"../key.pem"'))
    expect(await assayHere(['package', 'pack', file('thief')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('outside of the folder'),
    })
  })

  test('exits with 1 and names the tasks when a check fails', async () => {
    await assayHere(['package', 'init', file('twice')])
    const tasks = readFileSync(file('twice/tasks.jsonl'), 'utf8')
    writeFileSync(file('twice/tasks.jsonl'), tasks + tasks.replaceAll('"boxes-', '"again-'))
    const { code, out } = await assayHere(['package', 'check', file('twice')])
    expect(code).toBe(1)
    expect(out).toMatch(/fail +exact_duplicates/)
    expect(out).toContain('again-1')
  })
})

test('a signed package keeps its author and digests on another data folder; a changed byte fails its signature', async () => {
  const { here, elsewhere } = services()
  const body = { name: 'signed-work', title: 'Signed', description: '', public_key: String(pem.public) }
  await here.client.call('createNamespace', { body })
  await elsewhere.client.call('createNamespace', { body })
  const zip = readFileSync(file('a.zip'))
  const first = await upload(here, zip)
  expect(first).toMatchObject({ status: 'in_review', signature: 'valid' })
  const copy = await exported(here, first)
  expect(copy.equals(zip)).toBe(true)
  expect(identity(await upload(elsewhere, copy))).toEqual(identity(first))

  // The same signature over a file of which one byte differs.
  const altered = makeZip(
    readZip(zip).map(({ name, content }) => ({
      name,
      content:
        name === 'assay.package.json'
          ? Buffer.from(content.toString('utf8').replace('My benchmark', 'My benchmarc').replace('0.1.0', '0.1.1'))
          : content,
    })),
  )
  const flipped = await upload(here, altered)
  expect(flipped).toMatchObject({ status: 'rejected', signature: 'invalid' })
  expect((await reviewsOf(here.client, flipped.id))['signature']?.detail).toBe('"assay.package.json" is not the file that was signed.')

  // Repacked with another title, so that the archive and the manifest's digests are sound and the signature is not.
  const path = file('own/assay.package.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('My benchmark', 'Not yours').replace('0.1.0', '0.2.0'))
  const { privateKey: other } = generateKeyPairSync('ed25519')
  writeFileSync(file('other.pem'), other.export({ type: 'pkcs8', format: 'pem' }))
  expect((await assayHere(['package', 'pack', file('own'), '--out', file('forged.zip'), '--key', file('other.pem')])).code).toBe(0)
  const forged = await upload(here, readFileSync(file('forged.zip')))
  expect(forged).toMatchObject({ status: 'rejected', signature: 'invalid' })
  expect((await reviewsOf(here.client, forged.id))['signature']?.detail).toContain('not by the key of the namespace')
})

test('a package that was sent as JSON is exported as that JSON, and its tasks are shown as a model sees them', async () => {
  const { here, elsewhere } = services()
  await ensureNamespace(elsewhere.client)
  const made = await checkedPackage(here.client, sums(30, 7000), { name: 'json-sums' })
  expect(identity(await upload(elsewhere, await exported(here, made)))).toEqual(identity(made))
  const sample = (seed: number) => here.client.call('samplePackageTasks', { params: { package_id: made.id }, query: { count: 3, seed } })
  const shown = await sample(1)
  expect(shown).toMatchObject({ total: 30, items: [{ messages: [{ role: 'user', content: expect.stringMatching(/^What is/) }] }, {}, {}] })
  expect(await sample(1)).toEqual(shown)
  expect(await sample(2)).not.toEqual(shown)
})
