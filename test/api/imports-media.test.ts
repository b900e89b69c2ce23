import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { ImportRecord } from '../../src/contract/catalog/imports.schemas.ts'
import { decodeTask } from '../../src/storage/task-content.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { makeJpeg, makePdf, makePng, makeWav } from '../support/media.ts'
import { makeTar } from '../support/make-tar.ts'
import { makeZip } from '../support/make-zip.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd, type Upload } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const count = 30
const pictures = Array.from({ length: count }, (_, i) => makePng([i * 8, 255 - i * 8, 128], { width: 16 + i, height: 16 }))
const rows = pictures.map((_, i) => ({ id: `task-${i}`, question: `Which colour is picture ${i}?`, answer: `colour ${i}` }))
const jsonl = (values: readonly object[]): string => values.map(value => JSON.stringify(value)).join('\n')
const base64 = (i: number): string => pictures[i]?.toString('base64') ?? ''
const dataUri = (i: number): string => `data:image/png;base64,${base64(i)}`
const zipped = (table: string, content: string, folder = 'images/') =>
  new Uint8Array(
    makeZip([
      { name: table, content: Buffer.from(content) },
      ...pictures.map((bytes, i) => ({ name: `${folder}${i}.png`, content: bytes })),
    ]),
  )

function stored(record: ImportRecord) {
  const db = openDatabase(`${service.dataDir}/assay.db`, { readonly: true })
  const found = db.all(
    db.sql
      .selectFrom('tasks')
      .innerJoin('benchmark_versions', 'benchmark_versions.no', 'tasks.version_no')
      .select(['tasks.content', 'benchmark_versions.digest'])
      .where('benchmark_versions.source_ref', '=', record.source_ref ?? '')
      .orderBy('tasks.position'),
  )
  db.close()
  return { digest: found[0]?.digest, tasks: found.map(({ content }) => decodeTask(content)) }
}

async function imported(given: Upload): Promise<ImportRecord> {
  const record = await importToEnd(service, given)
  expect({ status: record.status, errors: record.errors.slice(0, 3) }).toEqual({ status: 'imported', errors: [] })
  return record
}

const file = (name: string, content: string | Uint8Array<ArrayBuffer>) => [{ name, content }]

/** The same 30 tasks in the form of each tool. */
const formats: readonly (readonly [name: string, () => Upload])[] = [
  [
    'JSON Lines in a zip, with paths',
    () => ({
      fields: { format: 'jsonl' },
      files: file('d.zip', zipped('tasks.jsonl', jsonl(rows.map((row, i) => ({ ...row, image: `images/${i}.png` }))))),
    }),
  ],
  [
    'JSON Lines in a packed tar, with paths',
    () => {
      const content = Buffer.from(jsonl(rows.map((row, i) => ({ ...row, image: `images/${i}.png` }))))
      const files = pictures.map((bytes, i) => ({ name: `images/${i}.png`, content: bytes }))
      const packed = new Uint8Array(gzipSync(makeTar([{ name: 'tasks.jsonl', content }, ...files])))
      return { fields: { format: 'jsonl' }, files: file('d.tar.gz', packed) }
    },
  ],
  [
    'CSV in a folder, with paths from the table',
    () => ({
      fields: { format: 'csv' },
      files: [
        {
          name: 'data/rows.csv',
          content: ['id,question,answer,picture', ...rows.map((r, i) => `${r.id},${r.question},${r.answer},img/${i}.png`)].join('\n'),
        },
        ...pictures.map((content, i) => ({ name: `data/img/${i}.png`, content })),
      ],
    }),
  ],
  [
    'JSON with data URIs',
    () => ({ fields: { format: 'json' }, files: file('d.json', JSON.stringify(rows.map((row, i) => ({ ...row, image: dataUri(i) })))) }),
  ],
  [
    'Parquet of Hugging Face',
    () => ({
      fields: { format: 'parquet' },
      files: file(
        'd.parquet',
        new Uint8Array(
          parquetWriteBuffer({
            schema: [
              { name: 'root', num_children: 4 },
              { name: 'id', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
              { name: 'question', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
              { name: 'answer', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
              { name: 'image', num_children: 2, repetition_type: 'OPTIONAL' },
              { name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
              { name: 'path', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
            ],
            columnData: [
              { name: 'id', data: rows.map(({ id }) => id) },
              { name: 'question', data: rows.map(({ question }) => question) },
              { name: 'answer', data: rows.map(({ answer }) => answer) },
              { name: 'image', data: pictures.map((bytes, i) => ({ bytes: new Uint8Array(bytes), path: `${i}.png` })) },
            ],
          }),
        ),
      ),
    }),
  ],
  [
    'messages of OpenAI',
    () => ({
      fields: { format: 'jsonl' },
      files: file(
        'd.jsonl',
        jsonl(
          rows.map(({ id, question, answer }, i) => ({
            id,
            messages: [
              {
                role: 'user',
                content: [
                  { type: 'image_url', image_url: { url: dataUri(i) } },
                  { type: 'text', text: question },
                ],
              },
            ],
            answer,
          })),
        ),
      ),
    }),
  ],
  [
    'conversations of LLaVA',
    () => ({
      fields: { format: 'json', mapping: JSON.stringify({ target: null }) },
      files: file(
        'd.zip',
        zipped(
          'llava.json',
          JSON.stringify(
            rows.map(({ id, question, answer }, i) => ({
              id,
              image: `${i}.png`,
              conversations: [
                { from: 'human', value: `<image>\n${question}` },
                { from: 'gpt', value: answer },
              ],
            })),
          ),
          '',
        ),
      ),
    }),
  ],
  [
    'a TSV of VLMEvalKit',
    () => ({
      fields: { format: 'csv', mapping: JSON.stringify({ id: 'task' }) },
      files: file(
        'd.tsv',
        ['index\timage\ttask\tquestion\tanswer', ...rows.map((r, i) => `${i}\t${base64(i)}\t${r.id}\t${r.question}\t${r.answer}`)].join(
          '\n',
        ),
      ),
    }),
  ],
  [
    'content lists of Inspect',
    () => ({
      fields: { format: 'inspect_jsonl' },
      files: file(
        'd.zip',
        zipped(
          'dataset.jsonl',
          jsonl(
            rows.map(({ id, question, answer }, i) => ({
              id,
              input: [
                {
                  role: 'user',
                  content: [
                    { type: 'image', image: `images/${i}.png` },
                    { type: 'text', text: question },
                  ],
                },
              ],
              target: answer,
            })),
          ),
        ),
      ),
    }),
  ],
]

describe('tasks with pictures', () => {
  test('import to equal digests from eight formats, each picture stored once', async () => {
    const digests = new Map<string, string | undefined>()
    for (const [i, [name, form]] of formats.entries()) {
      const { fields, files = [] } = form()
      const record = await imported({ fields: { ...fields, name: `Set ${i}` }, files })
      const { digest, tasks } = stored(record)
      digests.set(name, digest)
      expect({ name, rows: record.rows.valid, media: record.media?.files }).toEqual({ name, rows: count, media: count })
      expect(tasks[3]).toMatchObject({
        id: 'task-3',
        fields: { input: 'Which colour is picture 3?' },
        conversations: { input: [{ role: 'user', content: [{ type: 'image' }, { type: 'text', text: 'Which colour is picture 3?' }] }] },
        targets: ['colour 3'],
      })
    }
    expect([...digests.values()].map(digest => digest === digests.get(formats[0]?.[0] ?? ''))).toEqual(formats.map(() => true))
    const db = openDatabase(`${service.dataDir}/assay.db`, { readonly: true })
    expect(db.all(db.sql.selectFrom('media').select('digest'))).toHaveLength(count)
    db.close()
  })

  test('are previewed with their pictures, which can be read', async () => {
    const record = await importToEnd(service, {
      fields: { format: 'jsonl', dry_run: 'true', name: 'Preview' },
      files: file(
        'd.jsonl',
        jsonl([{ question: 'What?', answer: 'x', image: `data:image/png;base64,${makePng([1, 2, 3]).toString('base64')}` }]),
      ),
    })
    expect(record).toMatchObject({ status: 'previewed', media: { files: 1 }, mapping: { media: { image: 'image' } } })
    const [part] = record.preview[0]?.media ?? []
    const reply = await service.fetch(`/v1/media/${part?.media ?? ''}`)
    expect(reply.status).toBe(200)
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(makePng([1, 2, 3]))
  })

  test('show media where the data marks them', async () => {
    const at = (i: number) => `data:image/png;base64,${pictures[i]?.toString('base64') ?? ''}`
    const record = await imported({
      fields: { format: 'jsonl', name: 'Marks', mapping: JSON.stringify({ media: { first: 'image_1', second: 'image_2' } }) },
      files: file(
        'd.jsonl',
        jsonl([
          { question: 'Is <image 2> like <image 1>?', answer: 'no', image_1: at(0), image_2: at(1) },
          { question: 'Is {second} new?', answer: 'no', image_1: at(0), image_2: at(1) },
          { question: 'Only <image> and <|image|>', answer: 'no', image_1: at(0), image_2: at(1) },
          { question: 'A tag <image> that somebody typed', answer: 'no', image_1: null, image_2: null },
        ]),
      ),
    })
    const shape = stored(record).tasks.map(({ conversations }) => {
      const content = conversations?.['input']?.[0]?.content
      return typeof content === 'string' || content === undefined
        ? (content ?? null)
        : content.map(part => (part.type === 'text' ? part.text : part.type))
    })
    expect(shape).toEqual([
      ['Is ', 'image', ' like ', 'image', '?'],
      ['image', 'Is ', 'image', ' new?'],
      ['Only ', 'image', ' and ', 'image'],
      null,
    ])
  })

  test('may show audio and documents, and name stored media by digest', async () => {
    const form = new FormData()
    form.append('file', new Blob([makePdf(2)]), 'x.pdf')
    const { digest } = (await (await service.fetch('/v1/media', { method: 'POST', body: form })).json()) as { digest: string } // media.test.ts checks the shape
    const record = await imported({
      fields: { format: 'jsonl', name: 'Kinds', mapping: JSON.stringify({ media: { sound: 'sound', paper: 'paper' } }) },
      files: file(
        'd.jsonl',
        jsonl([{ question: 'What?', answer: 'x', sound: `data:audio/wav;base64,${makeWav(50).toString('base64')}`, paper: digest }]),
      ),
    })
    expect(record.preview[0]?.media.map(({ type }) => type)).toEqual(['audio', 'document'])
  })
})

test('an archive whose rows are damaged is refused with its reason', async () => {
  const damaged = makeZip([{ name: 'rows.jsonl', content: Buffer.from(jsonl(rows)) }])
  damaged[60] = (damaged[60] ?? 0) ^ 0xff
  const record = await importToEnd(service, { fields: { format: 'jsonl', name: 'Damaged' }, files: file('d.zip', damaged) })
  expect(record).toMatchObject({ status: 'failed', error_code: 'validation_error', errors: [{ file: 'd.zip', line: null }] })
})

describe('media that cannot be taken', () => {
  const refusedFor = async (row: object, fields: Readonly<Record<string, string>> = {}) =>
    importToEnd(service, {
      fields: { format: 'jsonl', ...fields },
      files: file(
        'd.jsonl',
        jsonl([
          { question: 'Fine?', answer: 'yes', image: null },
          { question: 'What?', answer: 'x', ...row },
        ]),
      ),
    })

  test('are named with their line, and left out only after a yes', async () => {
    const refused = await refusedFor({ image: 'missing.png' })
    expect(refused).toMatchObject({
      status: 'failed',
      errors: [{ line: 2, message: expect.stringContaining('"missing.png" in "image" is not among the files') }],
    })
    const without = await refusedFor({ image: 'missing.png' }, { leave_out: 'true', name: 'Left out' })
    expect(without).toMatchObject({
      status: 'imported',
      rows: { valid: 1 },
      left_out_count: 1,
      left_out: [{ line: 2, message: expect.stringContaining('missing.png') }],
    })
  })

  test.each([
    ['a path that leaves the folder', { image: '../../assay.db.png' }, 'is not among the files'],
    [
      'an SVG drawing',
      { image: `data:image/svg+xml;base64,${Buffer.from('<svg><script>1</script></svg>').toString('base64')}` },
      'SVG drawing',
    ],
    [
      'a mark too many',
      { question: '<image> or <image>?', image: `data:image/png;base64,${makePng([0, 0, 0]).toString('base64')}` },
      'marks 2 times <image>',
    ],
    [
      'more pictures than a task may have',
      { image: Array.from({ length: 101 }, (_, i) => `data:image/png;base64,${makePng([i, 0, 0]).toString('base64')}`) },
      'has 101 media parts; at most 100 are allowed',
    ],
    ['a digest that is not stored here', { image: `sha256:${'0'.repeat(64)}` }, 'is not stored in this workspace'],
  ])('such as %s are refused by name', async (_, row, message) => {
    expect((await refusedFor(row)).errors).toEqual([{ file: 'd.jsonl', line: 2, message: expect.stringContaining(message) }])
  })

  test('in a worked example, which is text, are refused by their line, and never left out in silence', async () => {
    const rows = [
      { question: 'Which colour?', answer: 'red', image: dataUri(0) },
      { question: 'And this?', answer: 'blue', image: dataUri(1) },
    ]
    const record = await importToEnd(service, {
      fields: { format: 'jsonl', profile: JSON.stringify({ shots: 1 }) },
      files: file('d.jsonl', jsonl(rows)),
    })
    expect(record.status).toBe('failed')
    expect(record.errors).toEqual([
      expect.objectContaining({ line: 1, message: expect.stringContaining('Worked examples are text: set "shots" to 0') }),
    ])
  })

  test('in a message of 20,000 parts are refused by its line', async () => {
    const content = Array.from({ length: 20_000 }, () => ({ type: 'text', text: 'a' }))
    const asked = (parts: object[]) => ({ messages: [{ role: 'user', content: parts }], answer: 'x' })
    const upload = {
      fields: { format: 'jsonl', name: 'Parts' },
      files: file('d.jsonl', jsonl([asked(content.slice(0, 2)), asked(content)])),
    }
    const record = await importToEnd(service, upload)
    // Texts of one message are one text, so that their number is bounded only where they stand apart.
    expect(record).toMatchObject({ status: 'imported', rows: { valid: 2 } })
    const apart = content.map((part, i) => (i % 2 === 0 ? part : { type: 'reasoning', reasoning: 'b' }))
    const mixed = { ...upload, files: file('d.jsonl', jsonl([asked(content.slice(0, 2)), asked(apart)])) }
    expect(await importToEnd(service, mixed)).toMatchObject({
      status: 'failed',
      errors: [{ line: 2, message: expect.stringMatching(/256|20,?000/) }],
    })
  })

  test('such as a digest of another workspace are refused like one that does not exist', async () => {
    const { id } = await service.client.call('createWorkspace', { body: { name: 'Elsewhere' } })
    const form = new FormData()
    form.append('file', new Blob([makePng([77, 7, 7])]), 'x.png')
    const reply = await service.fetch('/v1/media', { method: 'POST', body: form, headers: { 'x-workspace-id': id } })
    const { digest } = (await reply.json()) as { digest: string } // media.test.ts checks the shape
    const { errors } = await refusedFor({ image: digest })
    expect(errors).toEqual([{ file: 'd.jsonl', line: 2, message: expect.stringContaining('is not stored in this workspace') }])
  })

  test('do not hide a type that the bytes contradict, and bytes that no column shows', async () => {
    const record = await imported({
      fields: { format: 'jsonl', name: 'Contradiction' },
      files: file(
        'd.jsonl',
        jsonl([{ question: 'What?', answer: 'x', image: `data:image/png;base64,${makeJpeg(9, 9).toString('base64')}` }]),
      ),
    })
    expect(record.warnings.join('\n')).toContain('stated to be image/png, but its bytes are image/jpeg')
  })
})

describe('a recipe that shows pictures', () => {
  test('imports the table of Hugging Face with its files, ready to be quoted', async () => {
    const picture = (i: number) => ({ bytes: base64(i), path: `${i}.png` })
    const record = await imported({
      fields: { recipe: 'chartqa' },
      files: file(
        'chartqa.jsonl',
        jsonl([0, 1, 2].map(i => ({ type: 'human_test', question: `Which ${i}?`, answer: `${i}`, image: picture(i) }))),
      ),
    })
    expect(record).toMatchObject({ media: { files: 3 } })
    const benchmark = await service.client.call('getBenchmark', { params: { slug: 'chartqa' } })
    expect(benchmark).toMatchObject({ quote_availability: { status: 'ready_for_quote' } })
    expect(stored(record).tasks[1]).toMatchObject({
      targets: ['1'],
      conversations: { question: [{ role: 'user', content: [{ type: 'image' }, { type: 'text', text: 'Which 1?' }] }] },
    })
    const db = openDatabase(`${service.dataDir}/assay.db`, { readonly: true })
    expect(db.all(db.sql.selectFrom('media_references').select('no').where('version_no', 'is not', null)).length).toBeGreaterThanOrEqual(3)
    db.close()
  })
})
