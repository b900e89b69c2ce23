import { afterAll, beforeAll, expect, test } from 'vitest'
import { importAnswers, sendAnswers } from '../support/answers.ts'
import { importFiles } from '../support/imports.ts'
import { makeWorkbook } from '../support/make-workbook.ts'
import { makePng } from '../support/media.ts'
import { makeZip } from '../support/make-zip.ts'
import { profileId } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const figures = JSON.stringify({ results: { a: { acc: 0.5, acc_stderr: 0.1 } }, versions: {}, configs: {} })
const log = JSON.stringify({ eval: { task: 't', model: 'm' }, samples: [{ id: 1, epoch: 1, input: 'a?', target: 'b' }] })
const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`

test('files of other tools are named in every import that they are sent to', async () => {
  const preview = (name: string, content: string | Uint8Array, format: 'json' | 'csv') =>
    importFiles(service, { format, name: 'Sent', dry_run: 'true' }, [{ name, content }])
  const refused = await preview('results_1.json', figures, 'json')
  expect(refused.errors[0]?.message).toBe(
    'Import "results_1.json" as outputs, as the log of another tool (format "tool_results"): it holds figures of lm-evaluation-harness, and no answers.',
  )
  // Its samples are read as a list, so that what they answered would be lost without a word.
  const read = await preview('log.json', log, 'json')
  expect([read.status, read.warnings[0]]).toEqual([
    'previewed',
    'Import "log.json" as outputs, as the log of another tool (format "inspect_log"): it holds results of Inspect.',
  ])
  const rows = [
    [cell('A1', 'question'), cell('B1', 'answer')],
    [cell('A2', 'a?'), cell('B2', 'b')],
  ]
  const table = await preview('rows.xlsx', makeWorkbook({ Sheet1: rows }), 'csv')
  expect([table.preview[0], table.warnings]).toMatchObject([{ input: 'a?', targets: ['b'] }, []])
  // Rows may have the fields of any tool.
  const compared = await preview('a.csv', 'user_input,response,question,answer\na,b,c?,d\n', 'csv')
  expect([compared.status, compared.warnings.filter(text => text.includes('Ragas'))]).toEqual(['previewed', []])
})

test('a workbook in an archive is read with the pictures beside it', async () => {
  const rows = [
    [cell('A1', 'question'), cell('B1', 'answer'), cell('C1', 'image')],
    [cell('A2', 'a?'), cell('B2', 'b'), cell('C2', 'p/1.png')],
  ]
  const workbook = makeWorkbook({ Sheet1: rows })
  const content = makeZip([
    { name: 'rows.xlsx', content: workbook },
    { name: 'p/1.png', content: makePng([1, 2, 3]) },
  ])
  const read = await importFiles(service, { format: 'csv', name: 'Sent', dry_run: 'true' }, [{ name: 'set.zip', content }])
  expect(read.errors).toEqual([])
  expect(read.preview[0]).toMatchObject({ input: '[image]\na?', targets: ['b'], media: [{ media: expect.any(String) }] })
})

test('figures sent as outputs for a benchmark, and settings without a format, are named', async () => {
  const profile_id = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
  const sent = { profile_id, model: 'm', dry_run: 'true' }
  const { errors } = await importAnswers(service, sent, [{ name: 'results_1.json', content: figures }])
  expect(errors[0]?.message).toMatch(/^Import "results_1.json" as outputs, as the log of another tool/)
  const unknown = await sendAnswers(service, { model: 'm' }, [{ name: 'a.yaml', content: 'prompts: [a]\ntests: []\n' }])
  expect([unknown.status, JSON.stringify(await unknown.json())]).toEqual([422, expect.stringMatching(/a configuration of promptfoo/)])
})
