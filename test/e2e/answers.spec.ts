import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Locator, Page, TestInfo } from '@playwright/test'
import { harnessOutput } from '../support/harness-output.ts'
import { profileId } from '../support/runs.ts'
import { makeZip } from '../support/make-zip.ts'
import { ownerClient } from './support/owner-client.ts'
import { violations } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

const file = (name: string, text: string) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })

test('outputs given elsewhere become a run: matched, listed, graded, opened', async ({ app, complaints }) => {
  const tasks = Array.from({ length: 6 }, (_, i) =>
    JSON.stringify({ id: `t${i}`, question: `What is ${i} plus 1?`, answer: String(i + 1) }),
  )
  await app.goto('/catalog/import?own=yes')
  await app.locator('input[type=file]').setInputFiles(file('sums.jsonl', tasks.join('\n')))
  await app.getByLabel('Benchmark name').fill('Sums to answer')
  await expect(app.getByText('6 valid').first()).toBeVisible()
  await app.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(app.getByText('6 tasks are in the catalog.')).toBeVisible()

  await app.goto('/runs')
  await app.getByRole('link', { name: 'Import outputs' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Import outputs' })).toBeVisible()
  await app.getByLabel('Benchmark', { exact: true }).first().click()
  await app.getByRole('option', { name: 'Sums to answer' }).click()
  // Files are accepted once the benchmark's profile is chosen.
  await expect(app.getByRole('combobox', { name: 'Profile', exact: true })).toHaveValue(/Zero-shot/)
  const outputs = [...Array.from({ length: 5 }, (_, i) => ({ task_id: `t${i}`, output: String(i + 1) })), { task_id: 'other', output: '1' }]
  await app.locator('input[type=file]').setInputFiles(file('outputs.jsonl', outputs.map(row => JSON.stringify(row)).join('\n')))
  await expect(app.getByText('5 matched')).toBeVisible()
  await expect(app.getByText('1 unmatched')).toBeVisible()
  await expect(app.getByText('Tasks without an output: 1')).toBeVisible()
  await app.getByLabel('Model name').fill('my-model')
  await app.getByRole('button', { name: 'Import', exact: true }).click()
  await app.getByRole('link', { name: 'Open the run' }).click()
  await expect(app.getByText('my-model').first()).toBeVisible()
  expect(complaints).toEqual([])
})

test('verdicts in words get their values where outputs are imported', async ({ app, workstation }, info) => {
  const client = ownerClient(workstation)
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const { profiles } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const { items } = await client.call('listTasks', { query: { source_ref: profiles[0]?.source_ref ?? '', split: 'test', limit: 2 } })
  const rows = items.map(({ task_id }, i) => JSON.stringify({ task_id, output: 'x', verdict: i === 0 ? 'refused' : 'answered' }))
  await app.goto(`/runs/import?benchmark=arithmetic-word-problems&profile=${encodeURIComponent(profile)}`)
  await app.locator('input[type=file]').setInputFiles(file('words.jsonl', rows.join('\n')))
  await expect(app.getByText('2 matched')).toBeVisible()
  await app.getByRole('combobox', { name: 'Further scores' }).press('ArrowDown')
  await app.getByRole('option', { name: 'verdict' }).click()
  await expect(app.getByText('must be a number, not "refused"').first()).toBeVisible()
  const words = app.getByLabel('Words in verdict')
  await words.fill('refused')
  await words.blur()
  await expect(app.getByText('as a word, an equals sign and a number')).toBeVisible()
  await words.fill('refused = 0, answered = 1')
  await words.blur()
  await expect(app.getByText('2 matched')).toBeVisible()
  await app.screenshot({ path: info.outputPath('words.png'), fullPage: true })
  expect(await violations(app)).toEqual([])
})

test('an archive of lm-evaluation-harness output becomes benchmarks and runs', async ({ app, complaints }) => {
  const tasks = [
    { task: 'sums', right: [true, false] },
    { task: 'pick', right: [true, true, false], isChoice: true },
  ]
  const files = harnessOutput({ model: 'org/small-1b', date: '2026-05-31T10-00-00.123456', tasks })
  await app.goto('/runs/import?kind=log')
  await app.locator('input[type=file]').setInputFiles({ name: 'output.zip', mimeType: 'application/zip', buffer: makeZip(files) })
  const benchmarks = app.getByRole('table', { name: 'Benchmarks' })
  await expect(benchmarks.getByRole('row')).toHaveText([/Benchmark/, /pick\s*3\s*New/, /sums\s*2\s*New/])
  await app.getByRole('button', { name: 'Import', exact: true }).click()
  const runs = app.getByRole('table', { name: 'Runs' })
  await expect(runs.getByRole('row')).toHaveCount(3)
  const scores = app.getByRole('table', { name: 'Scores in the log and by Assay' })
  await expect(scores.getByText('None', { exact: true })).toHaveCount(4)
  await runs.getByRole('link').first().click()
  await expect(app.getByText('org/small-1b').first()).toBeVisible()
  expect(complaints).toEqual([])
})

test('recorded figures keep all their digits on one line', async ({ app }) => {
  await app.setViewportSize({ width: 1280, height: 800 })
  const sums = { 'acc,none': 0.7123456789010001, 'acc_stderr,none': 0.012345678901234567 }
  const buffer = Buffer.from(JSON.stringify({ results: { sums }, versions: {}, configs: {}, model_name: 'org/small-1b' }))
  await app.goto('/runs/import?kind=log')
  await app.locator('input[type=file]').setInputFiles({ name: 'results_2026-05-31.json', mimeType: 'application/json', buffer })
  const figures = app.getByRole('table', { name: 'Figures without samples, as recorded' })
  for (const figure of Object.values(sums)) {
    const lines = figures.getByText(String(figure)).evaluate(cell => {
      const text = document.createRange()
      text.selectNodeContents(cell)
      return text.getClientRects().length
    })
    expect(await lines).toBe(1)
  }
})

/** Writes the output of two models, whose samples have the same names in folders of their own. */
function writeHarnessFolder(info: TestInfo): string {
  const files = [
    { model: 'org/a', right: [true] },
    { model: 'org/b', right: [false] },
  ].flatMap(({ model, right }) => harnessOutput({ model, date: '2026-05-31T10-00-00.123456', tasks: [{ task: 'sums', right }] }))
  for (const { name, content } of files) {
    const path = info.outputPath(name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  return info.outputPath('output')
}

test('a folder of lm-evaluation-harness output is sent with its paths', async ({ app }, info) => {
  const folder = writeHarnessFolder(info)
  await app.goto('/runs/import?kind=log')
  const chooser = app.waitForEvent('filechooser')
  await app.getByRole('button', { name: 'Choose a folder' }).click()
  await (await chooser).setFiles(folder)
  await expect(app.getByText('2 models')).toBeVisible()
})

test('a folder that is dropped from the desktop is sent with its paths', async ({ app, complaints }, info) => {
  const folder = writeHarnessFolder(info)
  await app.goto('/runs/import?kind=log')
  await dropOn(app, app.locator('.file-drop'), [folder])
  await expect(app.getByText('2 models')).toBeVisible()
  expect(complaints).toEqual([])
})

test('a file that is no log is refused with its reason', async ({ app }) => {
  await app.goto('/runs/import?kind=log')
  await app.locator('input[type=file]').setInputFiles(file('notes.txt', 'nothing of the kind'))
  await expect(app.getByText('cannot be detected from the files', { exact: false })).toBeVisible()
})

test('answer keys that fit two forms are chosen by the reader', async ({ app }) => {
  const rows = ['one', 'two'].map((question, i) => JSON.stringify({ question, choices: ['red', 'green', 'blue'], answer: i + 1 }))
  await app.goto('/catalog/import?own=yes')
  await app.locator('input[type=file]').setInputFiles(file('colors.jsonl', rows.join('\n')))
  await expect(app.getByText('Choose one', { exact: true })).toBeVisible()
  await app.getByRole('radio', { name: 'Position counted from 1' }).click()
  await expect(app.getByText('2 valid').first()).toBeVisible()
  await expect(app.getByText('(chosen)', { exact: false })).toBeVisible()
})

/** As the system drops files from its own windows: Playwright's events carry no folders. */
async function dropOn(page: Page, target: Locator, files: readonly string[]): Promise<void> {
  const box = await target.boundingBox()
  if (!box) throw new Error('There is nothing to drop on.')
  const session = await page.context().newCDPSession(page)
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await session.send('Input.dispatchDragEvent', { type, ...at, data })
}
