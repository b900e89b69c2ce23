import { describe, expect, test } from 'vitest'
import { readCroissant } from '../../../../src/engine/importing/packages/croissant/read-croissant.ts'
import { openPackage } from '../../../../src/engine/importing/packages/open-package.ts'
import { PackageFault } from '../../../../src/engine/importing/packages/package-fault.ts'
import { readPackage, runStillCheck } from '../../../../src/engine/importing/packages/run-check.ts'
import { sha256 } from '../../../../src/engine/importing/packages/sha256.ts'
import { manifest } from '../../../support/packages.ts'
import { makeZip } from '../../../support/make-zip.ts'

type Json = Readonly<Record<string, unknown>>

const digest = 'a'.repeat(64)
const column = (name: string, from = name, file = 'tasks.jsonl') => ({
  '@type': 'cr:Field',
  '@id': `tasks/${name}`,
  name,
  dataType: 'sc:Text',
  source: { fileObject: { '@id': file }, extract: { column: from } },
})
const byPath = (name: string, jsonPath: string, file = 'tasks.jsonl') => ({
  ...column(name),
  source: { fileObject: { '@id': file }, extract: { jsonPath } },
})
const file = (path: string, sha = digest): Json => ({
  '@type': 'cr:FileObject',
  '@id': path,
  contentUrl: path,
  encodingFormat: 'application/jsonlines',
  sha256: sha,
})
const splits: Json = {
  '@id': 'splits',
  '@type': 'cr:RecordSet',
  dataType: 'cr:Split',
  key: { '@id': 'splits/name' },
  field: [
    { '@id': 'splits/name', '@type': 'cr:Field', dataType: 'sc:Text' },
    { '@id': 'splits/url', '@type': 'cr:Field', dataType: 'cr:Split' },
  ],
  data: [
    { 'splits/name': 'dev', 'splits/url': 'cr:TrainingSplit' },
    { 'splits/name': 'held-out', 'splits/url': 'cr:TestSplit' },
  ],
}
const records = (...field: readonly Json[]): Json => ({ '@type': 'cr:RecordSet', '@id': 'tasks', field })
const dataset = (recordSet: readonly Json[], distribution: readonly Json[] = [file('tasks.jsonl')], more: Json = {}): Json => ({
  '@context': { '@vocab': 'https://schema.org/', cr: 'http://mlcommons.org/croissant/' },
  '@type': 'sc:Dataset',
  conformsTo: 'http://mlcommons.org/croissant/1.1',
  name: 'Sums',
  distribution,
  recordSet,
  ...more,
})
const plain = records(column('id'), column('question'), column('answer'))

describe('a Croissant description', () => {
  test.each(['http://mlcommons.org/croissant/1.0', 'http://mlcommons.org/croissant/1.1'])(
    'of %s gives splits and fields by usual names',
    version => {
      const read = readCroissant(
        dataset(
          [plain],
          [file('./data/my%20tasks.jsonl')].map(one => ({ ...one, '@id': 'tasks.jsonl' })),
          { conformsTo: version },
        ),
      )
      expect(read).toMatchObject({
        splits: { test: { file: 'data/my tasks.jsonl', sha256: digest } },
        fields: { id: 'id', input: 'question', target: 'answer' },
      })
    },
  )

  test('is read with full IRIs and without a context', () => {
    const iri = (name: string) => `http://mlcommons.org/croissant/${name}`
    const field = (name: string) => ({
      '@type': iri('Field'),
      '@id': name,
      [iri('source')]: { [iri('fileObject')]: { '@id': 'f' }, [iri('extract')]: { [iri('column')]: name } },
    })
    const read = readCroissant({
      '@type': 'https://schema.org/Dataset',
      'http://purl.org/dc/terms/conformsTo': { '@id': iri('1.1') },
      'https://schema.org/distribution': {
        '@type': iri('FileObject'),
        '@id': 'f',
        'https://schema.org/contentUrl': 'f.csv',
        'https://schema.org/sha256': digest,
      },
      [iri('recordSet')]: { '@type': iri('RecordSet'), [iri('field')]: ['id', 'prompt', 'label', 'choices'].map(field) },
    })
    expect(read.fields).toEqual({ id: 'id', input: 'prompt', target: 'label', choices: 'choices' })
  })

  test('divides the rows of one file by its split column', () => {
    const split = { ...column('split', 'part'), references: { '@id': 'splits/name' } }
    const { splits: read, layout } = readCroissant(dataset([splits, records(column('id'), column('input'), split)]))
    expect(read.canonical).toEqual(read.test)
    expect(layout.split).toEqual({ column: 'part', test: new Set(['held-out']) })
  })

  test.each<[string, Json, RegExp]>([
    ['another version', dataset([plain], undefined, { conformsTo: 'http://mlcommons.org/croissant/2.0' }), /"conformsTo" must be/],
    ['a live dataset', dataset([plain], undefined, { isLiveDataset: true }), /live dataset/],
    [
      'an address',
      dataset([plain], [{ ...file('tasks.jsonl'), contentUrl: 'https://example.org/tasks.jsonl' }]),
      /is an address.*nothing is fetched/,
    ],
    [
      'an address without a scheme',
      dataset([plain], [{ ...file('tasks.jsonl'), contentUrl: '//example.org/tasks.jsonl' }]),
      /is an address/,
    ],
    ['no digest', dataset([plain], [{ ...file('tasks.jsonl'), sha256: undefined }]), /has no "sha256"/],
    ['a set of files', dataset([plain], [{ '@type': 'cr:FileSet', '@id': 'all', includes: '*.jsonl' }]), /Sets of files are not read/],
    ['a file in another', dataset([plain], [{ ...file('tasks.jsonl'), containedIn: { '@id': 'x.zip' } }]), /"containedIn"/],
    [
      'a transform',
      dataset([records({ ...column('id'), source: { ...column('id').source, transform: { regex: '(.*)' } } })]),
      /"transform", which is not read/,
    ],
    [
      'a join',
      dataset([records(column('id'), { ...column('input'), references: { '@id': 'others/input' } })]),
      /"references", which is not read/,
    ],
    [
      'a source in another record set',
      dataset([records({ ...column('id'), source: { recordSet: { '@id': 'others' } } })]),
      /"recordSet", which is not read/,
    ],
    [
      'fields of two files',
      dataset([records(column('id'), column('input', 'input', 'b.jsonl'))], [file('tasks.jsonl'), file('b.jsonl')]),
      /must be in one file/,
    ],
    ['a pattern as a path', dataset([records(byPath('id', "$[?match(@.a, '(a+)+b')]"))]), /is not of names, numbers/],
    ['nested fields', dataset([records({ ...column('id'), subField: [] })]), /"subField"/],
    ['two record sets of tasks', dataset([plain, { ...plain, '@id': 'more' }]), /several RecordSets of tasks/],
    ['no input', dataset([records(column('id'), column('answer'))]), /no field "input"/],
  ])('with %s is refused by name', (_, json, message) => {
    expect(() => readCroissant(json)).toThrow(PackageFault)
    expect(() => readCroissant(json)).toThrow(message)
  })
})

/** A package whose manifest leaves splits and fields to a Croissant description. */
function packageOf(path: string, content: string, recordSet: readonly Json[], more: Json = {}) {
  const bytes = Buffer.from(content)
  const { fields: _, ...described } = manifest()
  return makeZip([
    { name: 'assay.package.json', content: Buffer.from(JSON.stringify({ ...described, ...more })) },
    { name: 'croissant.json', content: Buffer.from(JSON.stringify(dataset(recordSet, [file(path, sha256(bytes))]))) },
    { name: path, content: bytes },
  ])
}
const rows = Array.from({ length: 12 }, (_, i) => ({
  meta: { key: `t-${i}` },
  q: { text: `What is ${i} plus ${i + 3}?` },
  answers: [String(2 * i + 3)],
  part: i < 2 ? 'dev' : 'held-out',
}))

describe('a package with a Croissant description', () => {
  test.each<[string, string, string, string]>([
    ['JSON Lines', 'tasks.jsonl', rows.map(row => `${JSON.stringify(row)}\n`).join(''), '$'],
    ['a JSON list', 'tasks.json', JSON.stringify(rows), '$[*]'],
    ['a list under a key', 'tasks.json', JSON.stringify({ examples: rows }), '$.examples[*]'],
  ])('in %s has its tasks by their paths, divided by the split column', async (_, path, content, root) => {
    const at = (name: string, tail: string) => byPath(name, `${root}.${tail}`, path)
    const split = { ...at('split', 'part'), references: { '@id': 'splits/name' } }
    const set = records(at('id', 'meta.key'), at('input', 'q.text'), at('target', 'answers[0]'), split)
    const read = await readPackage(openPackage(packageOf(path, content, [splits, set])))
    expect(runStillCheck('manifest', read, { publicKey: null, knownElsewhere: () => () => false })).toMatchObject({ outcome: 'pass' })
    expect(read.read.problems).toEqual([])
    expect(read.tasks.map(({ id, split: of, input, targets }) => ({ id, of, input, targets }))).toEqual(
      [...rows.slice(2), ...rows.slice(0, 2)].map(({ meta, q, answers, part }) => ({
        id: meta.key,
        of: part === 'dev' ? 'canonical' : 'test',
        input: q.text,
        targets: answers,
      })),
    )
  })

  test('fails where a file is not the one that was described, and where the manifest describes tasks too', async () => {
    const jsonl = rows.map(({ meta, q }) => `${JSON.stringify({ id: meta.key, input: q.text })}\n`).join('')
    const set = records(column('id'), column('input'))
    const zip = packageOf('tasks.jsonl', jsonl, [set])
    const opened = openPackage(zip)
    expect(opened.manifest).toMatchObject({ splits: { test: { file: 'tasks.jsonl' } }, fields: { id: 'id', input: 'input' } })
    const other = { ...opened, files: opened.files.map(one => (one.path === 'tasks.jsonl' ? { ...one, sha256: digest } : one)) }
    const checked = runStillCheck('manifest', await readPackage(other), { publicKey: null, knownElsewhere: () => () => false })
    expect(checked).toMatchObject({ outcome: 'fail', detail: expect.stringContaining('"tasks.jsonl" has the SHA-256') })
    const twice = { fields: { id: 'id', input: 'input' }, splits: { test: { file: 'tasks.jsonl', sha256: digest } } }
    expect(() => openPackage(packageOf('tasks.jsonl', jsonl, [set], twice))).toThrow(/Keep one of the two/)
  })
})
