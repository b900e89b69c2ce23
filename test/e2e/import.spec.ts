import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { ImportRecord } from '../../src/contract/catalog/imports.schemas.ts'
import { patience } from '../support/machine-speed.ts'
import { makePng } from '../support/media.ts'
import { makeZip } from '../support/make-zip.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

/** `count` little tasks as JSON Lines, with names of columns that the page recognizes. */
function jsonLines(count: number): string {
  return Array.from({ length: count }, (_, i) =>
    JSON.stringify({ question: `What is ${i} plus 1?`, answer: String(i + 1), uid: `t${i}` }),
  ).join('\n')
}

test('a file of one’s own becomes a benchmark: columns recognized, first rows shown, imported, found again', async ({
  app,
  complaints,
}) => {
  await app.goto('/catalog/import?own=yes')
  await app
    .locator('input[type=file]')
    .setInputFiles({ name: 'sums.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(jsonLines(12)) })
  await expect(app.getByLabel('Question', { exact: false }).first()).toHaveValue('question')
  await expect(app.getByLabel('Reference answer').first()).toHaveValue('answer')
  const preview = app.getByRole('table', { name: 'First rows' })
  await expect(preview.getByText('What is 0 plus 1?')).toBeVisible()
  await expect(app.getByText('12 valid').first()).toBeVisible()

  await expect(app.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
  await app.getByLabel('Benchmark name').fill('Little sums')
  await app.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(app.getByText('12 tasks are in the catalog.')).toBeVisible()
  await expect(app.getByRole('link', { name: 'Open the benchmark' })).toBeFocused()
  await expect(app.getByRole('log', { name: 'Announcements' })).toHaveText('Import complete')
  await app.getByRole('link', { name: 'Open the benchmark' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Little sums' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a file that is dropped beside the zone is taken, before a benchmark is chosen and after', async ({ app, complaints }) => {
  const drop = async (name: string) => {
    const dataTransfer = await app.evaluateHandle(
      ([fileName, text]) => {
        const data = new DataTransfer()
        data.items.add(new File([text], fileName))
        return data
      },
      [name, jsonLines(3)] as const,
    )
    await app.getByRole('heading', { level: 1 }).dispatchEvent('drop', { dataTransfer })
  }
  await app.goto('/catalog/import')
  await drop('own.jsonl')
  await expect(app.getByRole('radio', { name: 'A benchmark of my own' })).toBeChecked()
  await expect(app.getByRole('button', { name: 'Remove own.jsonl' })).toBeVisible()
  await app.goto('/catalog/import?recipe=drop')
  await app.getByText('Drop the files here, or choose them').waitFor()
  await drop('part.jsonl')
  await expect(app.getByRole('button', { name: 'Remove part.jsonl' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('another column chosen changes the preview', async ({ app }) => {
  await app.goto('/catalog/import?own=yes')
  await app
    .locator('input[type=file]')
    .setInputFiles({ name: 'sums.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(jsonLines(3)) })
  const preview = app.getByRole('table', { name: 'First rows' })
  await expect(preview.getByText('What is 0 plus 1?')).toBeVisible()
  await app.getByLabel('Question', { exact: false }).first().click()
  await app.getByRole('option', { name: 'uid' }).click()
  await expect(preview.getByText('What is 0 plus 1?')).toBeHidden()
})

test('parts of promptfoo tests that cannot be imported are left out after a yes, and judged assertions name an evaluator', async ({
  app,
  complaints,
}) => {
  const config = [
    'prompts: ["{{q}}"]',
    'tests:',
    '  - {vars: {q: Say hi}, assert: [{type: icontains, value: hi}]}',
    '  - {vars: {q: Count}, assert: [{type: rouge-n, value: Count}]}',
    '  - {vars: {q: Be kind}, assert: [{type: llm-rubric, value: Is kind.}]}',
  ].join('\n')
  await app.goto('/catalog/import?own=yes')
  await app.locator('input[type=file]').setInputFiles({ name: 'promptfooconfig.yaml', mimeType: 'text/yaml', buffer: Buffer.from(config) })
  await expect(app.getByRole('table', { name: 'Errors' }).getByText('"rouge-n" cannot be imported')).toBeVisible()
  await app.getByLabel('Benchmark name').fill('Some tests')
  await expect(app.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()

  await app.getByRole('checkbox', { name: 'Leave out what cannot be imported' }).check()
  await expect(app.getByRole('table', { name: 'Left out' }).getByRole('cell', { name: '4', exact: true })).toBeVisible()
  const judged = app.getByRole('table', { name: 'Assertions that need a model' })
  await expect(judged.getByText('llm-rubric')).toBeVisible()
  await expect(judged.getByText('Meets the rubric of its test')).toBeVisible()
  await app.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(app.getByText('3 tasks are in the catalog.')).toBeVisible()
  expect(complaints).toEqual([])
})

test('lines that cannot be read are named by number and nothing can be imported', async ({ app }) => {
  const broken = [...jsonLines(3).split('\n'), '{"question": "cut off'].join('\n')
  await app.goto('/catalog/import?own=yes')
  await app.locator('input[type=file]').setInputFiles({ name: 'broken.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(broken) })
  const errors = app.getByRole('table', { name: 'Errors' })
  await expect(errors.getByRole('cell', { name: '4', exact: true })).toBeVisible()
  await app.getByLabel('Benchmark name').fill('Broken')
  await expect(app.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
})

test('a recipe accepts a compressed file and an archive: previewed with checksums, refused naming what is missing', async ({ app }) => {
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })
  await app.goto('/catalog/import?recipe=hellaswag')
  const row = {
    activity_label: 'Cooking',
    ctx: 'She opens the pot and',
    endings: ['stirs.', 'flies.', 'sings.', 'sleeps.'],
    label: 0,
    source_id: 'x',
  }
  await app.locator('input[type=file]').setInputFiles(file('hellaswag_val.jsonl.gz', gzipSync(JSON.stringify(row))))
  await expect(app.getByRole('table', { name: 'First rows' }).getByText('Cooking: She opens the pot and')).toBeVisible()
  await expect(app.getByText('1 valid').first()).toBeVisible()

  await app.goto('/catalog/import?recipe=drop')
  const pair = { query_id: 'd1', question: 'How many gates?', answer: { number: '3', date: {}, spans: [] } }
  const passages = { p1: { passage: 'The wall has three gates.', qa_pairs: [pair, { ...pair, query_id: 'd2', answer: null }] } }
  const archive = (content: object) =>
    makeZip([{ name: 'drop_dataset/drop_dataset_dev.json', content: Buffer.from(JSON.stringify(content)) }])
  await app.locator('input[type=file]').setInputFiles(file('drop_dataset.zip', archive(passages)))
  const errors = app.getByRole('table', { name: 'Errors' })
  await expect(errors.getByText('The field "answer" must have a "number", a "date" and "spans".')).toBeVisible()
  await expect(app.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
  await app.getByRole('button', { name: 'Remove drop_dataset.zip' }).click()
  await app
    .locator('input[type=file]')
    .setInputFiles(file('drop_dataset.zip', archive({ p1: { passage: 'The wall has three gates.', qa_pairs: [pair] } })))
  await expect(app.getByText('How many gates?')).toBeVisible()
  await app.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(app.getByText('1 task is in the catalog.')).toBeVisible()
})

test('a task of lm-evaluation-harness is recognized, asks for its data, and becomes a benchmark', async ({ app }) => {
  const yaml =
    'task: caps\ntest_split: test\ndoc_to_text: "{{word}} in capitals:"\ndoc_to_target: "{{word|upper}}"\noutput_type: generate_until\n'
  const file = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
  await app.goto('/catalog/import?own=yes')
  await app.locator('input[type=file]').setInputFiles(file('caps.yaml', yaml))
  await expect(app.getByLabel('Format').first()).toHaveValue('lm-evaluation-harness tasks (.yaml, .zip)')
  await expect(app.getByText(/Send the data of .* beside the task: the split "test"/)).toBeVisible()
  await app.locator('input[type=file]').setInputFiles(file('test.jsonl', '{"word": "plum"}\n{"word": "pear"}\n'))
  const preview = app.getByRole('table', { name: 'First rows' })
  await expect(preview.getByText('plum in capitals:')).toBeVisible()
  // Without the task its data is a file like any other.
  await app.getByRole('button', { name: 'Remove caps.yaml' }).click()
  await expect(app.getByLabel('Format').first()).toHaveValue('JSON Lines (.jsonl)')
  await app.locator('input[type=file]').setInputFiles(file('caps.yaml', yaml))
  await expect(preview.getByText('plum in capitals:')).toBeVisible()
  await app.getByLabel('Benchmark name').fill('Words in capitals')
  await app.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(app.getByText('2 tasks are in the catalog.')).toBeVisible()
})

test('a recipe’s data is downloaded when one asks: progress, what went wrong, and again', async ({ app, complaints }) => {
  const url = 'https://rajpurkar.github.io/SQuAD-explorer/dataset/dev-v1.1.json'
  const begun: ImportRecord = {
    id: '01a1fbee-850d-7273-9247-5973fbdcf678',
    status: 'validating',
    job_id: '01a1fbee-850d-7273-9247-5973fbdcf679',
    error_code: null,
    dry_run: false,
    recipe: 'squad',
    format: null,
    fetch: { url, file_name: 'dev-v1.1.json', file_number: 1, file_count: 1, received_bytes: 1_000_000, total_bytes: 4_000_000 },
    files: [],
    rows: { read: 0, valid: 0, invalid: 0 },
    columns: [],
    column_samples: [],
    mapping: null,
    preview: [],
    answer_key: null,
    errors: [],
    error_count: 0,
    left_out: [],
    left_out_count: 0,
    media: null,
    remote_media: [],
    remote_hosts: 0,
    evaluators: [],
    choices: [],
    splits: [],
    warnings: [],
    slug: 'squad',
    source_ref: null,
    already_present: false,
    created_at: '2026-11-20T09:30:00.000Z',
    finished_at: null,
  }
  const message = `Could not reach rajpurkar.github.io. Download dev-v1.1.json yourself from ${url} and import it here.`
  const failed: ImportRecord = { ...begun, status: 'failed', errors: [{ file: 'dev-v1.1.json', line: null, message }], error_count: 1 }
  const imported: ImportRecord = { ...begun, status: 'imported', rows: { read: 7, valid: 7, invalid: 0 } }
  const forms: string[] = []
  let now = begun
  // The service would ask the network, which is what `test/api/imports-fetched.test.ts` has a publisher of its own for.
  await app.route('**/v1/catalog/imports', route => {
    forms.push(route.request().postData() ?? '')
    return route.fulfill({ status: 202, json: begun })
  })
  await app.route('**/v1/catalog/imports/*', route => route.fulfill({ json: now }))

  await app.goto('/catalog/import?recipe=squad')
  const button = app.getByRole('button', { name: 'Download from rajpurkar.github.io' })
  await expect(app.getByText(/1 file, size unknown\. License: CC BY-SA 4\.0\./)).toBeVisible()
  await button.focus()
  await app.keyboard.press('Enter')
  await expect(app.getByText(/Downloading dev-v1\.1\.json: 1(\.0)? MB of 4(\.0)? MB/)).toBeVisible()
  expect(forms[0]).toMatch(/name="fetch"\s+true/)
  now = failed
  await expect(app.getByRole('table', { name: 'Errors' }).getByText(message)).toBeVisible()
  now = imported
  await app.getByRole('button', { name: 'Try again' }).click()
  await expect(app.getByText('7 tasks are in the catalog.')).toBeVisible()

  await app.goto('/catalog/import?recipe=mmlu-pro')
  await expect(app.getByText(/Assay cannot download this data/)).toBeVisible()
  expect(complaints).toEqual([])
})

test('prompt, split, few-shot examples and scorers are chosen, and the first prompt follows', async ({ app, complaints }) => {
  const rows = ['dev', 'dev', 'test', 'test'].map((part, i) =>
    JSON.stringify({ part, question: `What is ${i} plus 1?`, answer: String(i + 1), passage: 'p' }),
  )
  await app.goto('/catalog/import?own=yes')
  await app
    .locator('input[type=file]')
    .setInputFiles({ name: 'parts.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(rows.join('\n')) })
  await expect(app.getByText('What is 0 plus 1?').first()).toBeVisible()
  await app.getByRole('combobox', { name: 'Split' }).click()
  await app.getByRole('option', { name: 'part' }).click()
  const values = app.getByRole('combobox', { name: 'Example rows' })
  await expect(values).toBeVisible()
  await expect(async () => {
    await values.click()
    await expect(app.getByRole('option', { name: 'dev' })).toBeVisible({ timeout: 2_000 * patience() })
  }).toPass()
  await app.getByRole('option', { name: 'dev' }).click()
  await app.keyboard.press('Escape')
  await app.getByLabel('Few-shot examples').fill('2')
  await app.getByLabel('Prompt template').fill('Q: {question}')
  const prompt = app.getByText(/What is 1 plus 1\?\s+2\s+Q: What is 2 plus 1\?$/)
  await expect(prompt).toBeVisible()
  await app.getByRole('button', { name: 'Add scorer' }).click()
  await app.getByRole('combobox', { name: 'Scorer 1' }).fill('inspect_ai/includes')
  await app.getByRole('option', { name: /inspect_ai\/includes/ }).click()
  await app.getByLabel('Benchmark name').fill('Two parts')
  await app.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(app.getByText('2 tasks are in the catalog.')).toBeVisible()
  expect(complaints).toEqual([])
})

test('a folder of lm-evaluation-harness tasks asks which of its tasks is imported', async ({ app, complaints }) => {
  const yaml = (name: string) => `task: ${name}\ntest_split: test\ndoc_to_text: "{{q}}"\ndoc_to_target: "{{a}}"\n`
  const files = ['easy', 'hard'].flatMap(name => [
    { name: `sums/${name}.yaml`, content: Buffer.from(yaml(name)) },
    { name: `sums/data/${name}_test.jsonl`, content: Buffer.from(JSON.stringify({ q: `A ${name} one`, a: '2' })) },
  ])
  await app.goto('/catalog/import?own=yes')
  await app.locator('input[type=file]').setInputFiles({ name: 'sums.zip', mimeType: 'application/zip', buffer: makeZip(files) })
  await expect(app.getByText('The files are of several tasks that no group names.', { exact: false })).toBeVisible()
  await app.getByRole('combobox', { name: 'Group, tag or task' }).click()
  await app.getByRole('option', { name: 'hard' }).click()
  await expect(app.getByRole('table', { name: 'First rows' }).getByText('A hard one').first()).toBeVisible()
  await app.getByLabel('Benchmark name').fill('Hard sums of a folder')
  await app.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(app.getByText('1 task is in the catalog.')).toBeVisible()
  expect(complaints).toEqual([])
})

test('columns are chosen beside their first values, and the button stays in view', async ({ app, complaints }) => {
  await app.goto('/catalog/import?own=yes')
  const drop = app.locator('input[type=file]').first()
  await drop.setInputFiles({ name: 'chart.png', mimeType: 'image/png', buffer: Buffer.from('picture') })
  await expect(app.getByText('Not a benchmark by itself. Drop the table that names it, too.')).toBeVisible()
  await app.getByRole('button', { name: 'Remove chart.png' }).click()
  const rows = Array.from({ length: 60 }, (_, i) => ({ prompt_text: `How much is\n${i} + 1?`, result: [String(i + 1)], level: null }))
  await drop.setInputFiles({
    name: 'odd.jsonl',
    mimeType: 'application/jsonl',
    buffer: Buffer.from(rows.map(row => JSON.stringify(row)).join('\n')),
  })
  const samples = app.getByRole('table', { name: 'Columns and their first values' }).getByRole('row')
  await expect(samples).toHaveText([/^ColumnFirst value$/, 'prompt_textHow much is 0 + 1?', 'result["1"]', 'level'])
  const button = app.getByRole('button', { name: 'Import', exact: true })
  await expect(button).toBeInViewport()
  await expect(app.getByText('Choose the column with the question.')).toBeInViewport()
  // Nothing is wrong with rows whose columns are not chosen yet.
  await expect(app.getByText('60 rows read').first()).toBeVisible()
  await expect(app.getByText(/refused|in "mapping"/)).toHaveCount(0)
  expect(await violationsInBothSchemes(app)).toEqual([])
  const question = app.getByRole('combobox', { name: 'Question' })
  const [field, sample] = await Promise.all([question.boundingBox(), samples.first().boundingBox()])
  expect((field?.x ?? 0) + (field?.width ?? 0)).toBeLessThan(sample?.x ?? 0)
  await question.click()
  await expect(app.getByRole('option')).toHaveText(['prompt_textHow much is 0 + 1?', 'result["1"]', 'level'])
  await app.getByRole('option', { name: 'prompt_text' }).click()
  await expect(app.getByText('Choose the column with the answer, or none.')).toBeVisible()
  await app.getByRole('button', { name: 'No reference answers' }).click()
  await app.getByLabel('Benchmark name').fill('Odd names')
  await expect(button).toBeEnabled()
  expect(complaints).toEqual([])
})

test('media at other addresses are downloaded after a yes that names host and number', async ({ app, complaints }) => {
  let asked = 0
  const server = createServer((_, response) => {
    asked++
    response.end(makePng([asked * 40, 90, 120], { width: 90, height: 60 }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  const rows = [1, 2].map(i => JSON.stringify({ question: `What is picture ${i}?`, answer: 'x', image: `http://${host}/${i}.png` }))
  await app.goto('/catalog/import?own=yes')
  await app
    .locator('input[type=file]')
    .setInputFiles({ name: 'seen.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(rows.join('\n')) })
  await app.getByLabel('Benchmark name').fill('Seen elsewhere')
  await expect(app.getByText('Choose to download the media files, or to leave out their rows.')).toBeVisible()
  await expect(app.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('checkbox', { name: `Download 2 files from ${host}` }).press('Space')
  await expect(app.getByRole('table', { name: 'Errors' })).toHaveCount(0)
  await expect(app.getByRole('checkbox', { name: `Download 2 files from ${host}` })).toBeChecked()
  expect(asked).toBe(0)
  await app.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(app.getByText('2 tasks are in the catalog.')).toBeVisible()
  expect(asked).toBe(2)

  // Of a download that fails, the page shows which file and why, not the button over them.
  server.close()
  await app.goto('/catalog/import?own=yes')
  await app
    .locator('input[type=file]')
    .setInputFiles({ name: 'gone.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(rows.join('\n').replaceAll('What', 'Which')) })
  await app.getByLabel('Benchmark name').fill('Gone elsewhere')
  await app.getByRole('checkbox', { name: `Download 2 files from ${host}` }).press('Space')
  const send = app.getByRole('button', { name: 'Import', exact: true })
  await expect(send).toBeEnabled()
  await send.click()
  await expect(app.getByText('Nothing was imported.')).toBeInViewport()
  await expect(app.getByRole('table', { name: 'Errors' }).getByText('could not be fetched').first()).toBeInViewport()
  expect(await violationsInBothSchemes(app)).toEqual([])
  expect(complaints).toEqual([])
})
