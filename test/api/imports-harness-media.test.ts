import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportRecord } from '../../src/contract/catalog/imports.schemas.ts'
import { mediaIn } from '../../src/contract/messages/messages.schemas.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { decodeTask } from '../../src/storage/task-content.ts'
import { makePng } from '../support/media.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

function tasksOf({ source_ref: source }: ImportRecord) {
  const db = openDatabase(`${service.dataDir}/assay.db`, { readonly: true })
  const found = db.all(
    db.sql
      .selectFrom('tasks')
      .innerJoin('benchmark_versions', 'benchmark_versions.no', 'tasks.version_no')
      .select('tasks.content')
      .where('benchmark_versions.source_ref', '=', source ?? ''),
  )
  db.close()
  return found.map(({ content }) => decodeTask(content))
}

describe('a task of lm-evaluation-harness that shows pictures', () => {
  const yaml = (more = '') =>
    `task: colours\ntest_split: test\noutput_type: generate_until\ndoc_to_text: "What is in <image>? {{ask}}"\ndoc_to_target: answer\ndoc_to_image: [first, second]\nmetric_list:\n  - metric: exact_match\n${more}`
  const uri = (colour: readonly [number, number, number]) => `data:image/png;base64,${makePng(colour).toString('base64')}`
  const rows = [{ ask: 'Briefly.', answer: 'red', first: uri([255, 0, 0]), second: uri([0, 0, 255]) }]
  const send = (name: string, text: string) =>
    importToEnd(service, {
      fields: { format: 'lm_eval_yaml', name },
      files: [
        { name: 'colours.yaml', content: text },
        { name: 'test.jsonl', content: rows.map(row => JSON.stringify(row)).join('\n') },
      ],
    })

  test('shows the columns of doc_to_image where its text marks them, the others before it', async () => {
    const record = await send('Harness pictures', yaml())
    expect(record).toMatchObject({ status: 'imported', media: { files: 2 } })
    const [task] = tasksOf(record)
    expect(task?.conversations?.['text']).toMatchObject([
      {
        role: 'user',
        content: [{ type: 'image' }, { type: 'text', text: 'What is in ' }, { type: 'image' }, { type: 'text', text: '? Briefly.' }],
      },
    ])
    const digests = [[255, 0, 0] as const, [0, 0, 255] as const].map(
      colour => `sha256:${createHash('sha256').update(makePng(colour)).digest('hex')}`,
    )
    expect(mediaIn(task?.conversations?.['text'] ?? [])).toEqual(digests.toReversed())
  })
  test('is refused with worked examples and for likelihoods', async () => {
    expect((await send('Harness shots', yaml('num_fewshot: 2\n'))).errors[0]?.message).toContain('with worked examples cannot be imported')
    const likelihood = yaml()
      .replace('generate_until', 'loglikelihood')
      .replace(/metric_list[^]*$/, '')
    expect((await send('Harness likelihood', likelihood)).errors[0]?.message).toContain('files are shown where answers are generated')
  })
})
