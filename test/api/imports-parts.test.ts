import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importFiles } from '../support/imports.ts'
import { makeTar } from '../support/make-tar.ts'
import { makeZip } from '../support/make-zip.ts'
import { profileId, quote } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

const folder = new URL('../../../shared/data/bbh/', import.meta.url)

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const part = (count: number, word = 'x') =>
  JSON.stringify({ examples: Array.from({ length: count }, (_, i) => ({ input: `${word} ${i}?`, target: 'Yes' })) })
const file = (name: string, content: string) => ({ name, content: new TextEncoder().encode(content) })
const latest = async () => (await service.client.call('getBenchmark', { params: { slug: 'bbh' } })).latest_version

describe('a benchmark of parts', () => {
  test('is not called whole while parts are missing', async () => {
    const record = await importFiles(service, { recipe: 'bbh' }, [file('navigate.json', part(250))])
    expect(record.status).toBe('imported')
    const version = await latest()
    expect(version?.parts).toMatchObject({ by: 'subtask', present: [{ name: 'navigate', tasks: 250, expected: 250 }], complete: false })
    expect(version?.parts?.missing).toHaveLength(26)
    const { coverage } = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/echo' },
      profiles: [await profileId(service.client, 'bbh', 'zero-shot')],
    })
    expect(coverage.full_benchmark).toBe(false)
    expect(coverage.parts).toEqual([expect.objectContaining({ present: 1, complete: false })])
  })

  test('takes further parts as a new version, and the earlier version stays', async () => {
    const first = await importFiles(service, { recipe: 'bbh', version: 'a' }, [
      file('navigate.json', part(3)),
      file('web_of_lies.json', part(2)),
    ])
    const more = { recipe: 'bbh', version: 'b', extends: first.source_ref ?? '' }
    const second = await importFiles(service, more, [file('snarks.json', part(2, 'new')), file('navigate.json', part(4))])
    expect(second).toMatchObject({ status: 'imported', error_count: 0, rows: { valid: 8 } })
    expect(second.files.map(({ role }) => role).sort()).toEqual(['navigate', 'snarks', 'web_of_lies'])
    const parts = (await latest())?.parts
    expect(parts?.present.map(({ name, tasks }) => [name, tasks])).toEqual([
      ['navigate', 4],
      ['snarks', 2],
      ['web_of_lies', 2],
    ])
    const whole = await importFiles(service, { recipe: 'bbh', version: 'c' }, [
      file('navigate.json', part(4)),
      file('snarks.json', part(2, 'new')),
      file('web_of_lies.json', part(2)),
    ])
    expect(whole, 'the same content as files sent at once').toMatchObject({ already_present: true, source_ref: second.source_ref })
    const { versions } = await service.client.call('getBenchmark', { params: { slug: 'bbh' } })
    expect(versions.map(({ source_ref }) => source_ref)).toContain(first.source_ref)
  })

  test.each([
    [{ recipe: 'gsm8k', extends: 'eval://openai/gsm8k/x' }, 'test.jsonl', 'is for recipes whose parts are files'],
    [{ recipe: 'bbh', extends: 'eval://suzgunmirac/bbh/none' }, 'navigate.json', 'the workspace has no version'],
    [{ format: 'jsonl', name: 'Own', extends: 'eval://local/own/x' }, 'own.jsonl', 'a recipe knows its parts'],
  ])('refuses to extend what cannot be: %j', async (fields, name, message) => {
    await expect(importFiles(service, fields, [file(name, part(1))])).rejects.toThrow(message)
  })

  test('refuses archives without parts, with two files for one part, and damaged ones', async () => {
    const failed = async (content: Uint8Array) => {
      const record = await importFiles(service, { recipe: 'bbh' }, [{ name: 'bbh.zip', content }])
      return { status: record.status, message: record.errors[0]?.message }
    }
    expect(await failed(makeZip([file('README.md', 'x')]))).toEqual({
      status: 'failed',
      message: 'The archive holds none of the files of BIG-Bench Hard.',
    })
    expect(await failed(makeZip([]))).toMatchObject({ message: 'The archive holds none of the files of BIG-Bench Hard.' })
    const two = makeZip([file('a/navigate.json', part(1)), file('b/navigate.json', part(2))])
    expect(await failed(two)).toMatchObject({ message: expect.stringContaining('has 2 files that could be navigate.json') })
    expect(await failed(new Uint8Array([1, 2, 3]))).toMatchObject({
      status: 'failed',
      message: 'The file is neither a zip nor a tar archive.',
    })
  })

  test('takes the part from upstream’s folder where the archive has others of its name', async () => {
    const archive = makeZip([
      file('BIG-Bench-Hard-main/bbh/navigate.json', part(5)),
      file('BIG-Bench-Hard-main/code-davinci-002-outputs/navigate.json', '{}'),
      file('BIG-Bench-Hard-main/LICENSE', 'MIT'),
    ])
    const record = await importFiles(service, { recipe: 'bbh' }, [{ name: 'main.zip', content: archive }])
    expect(record).toMatchObject({ status: 'imported', rows: { valid: 5 } })
    expect(record.warnings).toContain('2 other files of "main.zip" were passed over.')
  })
})

describe.skipIf(!existsSync(folder))('the whole BIG-Bench Hard (skipped where ../shared/data/bbh is absent)', () => {
  const files = () =>
    readdirSync(folder)
      .filter(name => name.endsWith('.json'))
      .map(name => ({ name, content: new Uint8Array(readFileSync(new URL(name, folder))) }))

  test('is the same version from 27 files, a zip and a tar archive, and is called whole', async () => {
    const record = await importFiles(service, { recipe: 'bbh' }, files())
    expect(record).toMatchObject({ status: 'imported', error_count: 0, rows: { valid: 6511 } })
    expect((await latest())?.parts).toMatchObject({ missing: [], complete: true })
    const { coverage } = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/echo' },
      profiles: [await profileId(service.client, 'bbh', 'zero-shot')],
    })
    expect(coverage).toMatchObject({ full_benchmark: true, parts: [expect.objectContaining({ present: 27, complete: true })] })
    const archives = [
      { name: 'bbh.zip', content: makeZip(files().map(({ name, content }) => ({ name: `bbh/${name}`, content }))) },
      { name: 'bbh.tar.gz', content: gzipSync(makeTar(files())) },
    ]
    for (const archive of archives) {
      const packed = await importFiles(service, { recipe: 'bbh' }, [archive])
      expect(packed).toMatchObject({ status: 'imported', already_present: true, source_ref: record.source_ref })
      expect(packed.files.filter(({ checksum }) => checksum === 'matches_upstream')).toHaveLength(2)
    }
  })
})
