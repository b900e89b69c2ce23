import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PackageManifest } from '../../../../src/contract/creator/manifest.schemas.ts'
import { openPackage } from '../../../../src/engine/importing/packages/open-package.ts'
import { PackageFault } from '../../../../src/engine/importing/packages/package-fault.ts'
import { readPackage, runStillCheck } from '../../../../src/engine/importing/packages/run-check.ts'
import { makeBomb, makePdf, makePng, makeWav } from '../../../support/media.ts'
import { manifest, picturedPackage, type PicturedPackage } from '../../../support/packages.ts'

const around = { publicKey: null, knownElsewhere: () => () => true }
const read = (given: PicturedPackage = {}) => readPackage(openPackage(picturedPackage(given)))
const tasksOf = async (given: PicturedPackage) => runStillCheck('tasks', await read(given), around).detail
const picture = makePng([1, 2, 3])

describe('a package whose tasks show files', () => {
  test('has them as parts of its tasks, each once, and not among the texts that scorers get', async () => {
    const { read: content, tasks } = await read()
    expect(content.problems).toEqual([])
    expect(content.tasks[3]).toMatchObject({
      fields: { input: 'Which colour and size?' },
      conversations: { input: [{ role: 'user', content: [{ type: 'image' }, { type: 'text', text: 'Which colour and size?' }] }] },
    })
    expect(Object.keys(content.tasks[3]?.metadata ?? {})).not.toContain('picture')
    expect(content.media).toHaveLength(20)
    const [first] = content.media
    expect(first?.file.digest).toBe(
      `sha256:${createHash('sha256')
        .update(first?.bytes?.() ?? '')
        .digest('hex')}`,
    )
    expect(tasks[0]?.media).toEqual([first?.file.digest])
  })

  test('may ask the same of different pictures, but not of the same one', async () => {
    const distinct = await read()
    for (const check of ['exact_duplicates', 'near_duplicates', 'overlap', 'secrets', 'target_leak'] as const)
      expect({ check, outcome: runStillCheck(check, distinct, around).outcome }).toEqual({ check, outcome: 'pass' })
    const same = await read({ pictureOf: () => picture })
    expect(runStillCheck('exact_duplicates', same, around)).toMatchObject({ outcome: 'fail', figures: { duplicates: 19 } })
  })

  test('may show recordings, documents, and files within its rows', async () => {
    const inside = (bytes: Buffer, type: string) => `data:${type};base64,${bytes.toString('base64')}`
    const { read: content } = await read({
      cellOf: i => (i === 0 ? inside(makeWav(200), 'audio/wav') : i === 1 ? inside(makePdf(2), 'application/pdf') : `media/${i}.png`),
    })
    expect(content.problems).toEqual([])
    expect(content.media.map(({ file }) => file.media_type)).toEqual([
      'audio/wav',
      'application/pdf',
      ...Array.from({ length: 18 }, () => 'image/png'),
    ])
  })

  test.each<[string, PicturedPackage, RegExp]>([
    ['a file that is not among its assets', { cellOf: () => 'media/none.png' }, /"media\/none.png" in "picture" is not among the files/],
    ['a path out of the package', { cellOf: () => '../../etc/passwd' }, /"..\/..\/etc\/passwd" in "picture" is not among/],
    ['the manifest itself', { cellOf: () => 'assay.package.json' }, /is not among the files|holds neither files/],
    ['a remote address', { cellOf: () => 'https://example.com/a.png' }, /remote address \(example.com\), which is not fetched/],
    [
      'a drawing',
      { pictureOf: () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>') },
      /an SVG drawing, which can hold scripts/,
    ],
    ['a web page', { pictureOf: () => Buffer.from('<!doctype html><script>1</script>') }, /a web page/],
    ['60,000 × 60,000 pixels', { pictureOf: () => makeBomb(60_000, 60_000) }, /60,000 × 60,000 pixels; at most 50 megapixels/],
    ['a type that its bytes contradict', { type: 'image/jpeg' }, /says that "media\/0.png" is image\/jpeg, but its bytes are image\/png/],
    ['a mark without a file', { question: 'Is <image 2> red?' }, /The text marks <image 2>/],
  ])('is refused by its line for %s', async (_, given, message) => {
    const detail = await tasksOf(given)
    expect(detail).toMatch(/"tasks.jsonl", line 1/)
    expect(detail).toMatch(message)
  })

  test('is refused for worked examples with files, and for templates that place them', async () => {
    const [profile] = manifest().profiles
    if (!profile) throw new Error('The manifest has a profile.')
    const shots: PackageManifest['profiles'] = [{ ...profile, shots: 2 }]
    expect(await tasksOf({ more: { profiles: shots }, canonical: true })).toContain('has files, and worked examples are text')
    const placed = await read({ more: { profiles: [{ ...profile, prompt_template: '{image} {input}' }] } })
    expect(runStillCheck('manifest', placed, around).detail).toContain('places {image}, which holds files')
  })

  test('is refused whole for a path out of the archive', () => {
    expect(() => openPackage(picturedPackage({ path: () => '../out.png' }))).toThrow(PackageFault)
  })
})
