import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { violations } from './support/violations.ts'
import { expect, test as base, type Workstation } from './support/workstation.ts'

/** An ended run of a baseline, over twenty tasks. */
async function endedRun(workstation: Workstation, name: string): Promise<string> {
  const client = ownerClient(workstation)
  const { id } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 20, seed: 1 },
  })
  const run = await submit(client, id, name)
  await runToEnd(client, workstation.baseUrl, run.id)
  return run.id
}

const test = base.extend<{ careMenu: (item: string) => Promise<void> }>({
  careMenu: async ({ app }, use) => {
    await use(async item => {
      await app.getByRole('button', { name: 'More for this run' }).click()
      await app.getByRole('menuitem', { name: item }).click()
    })
  },
})

test('stored answers are regraded, with the faults of a grader where they are', async ({ app, workstation, careMenu }) => {
  const id = await endedRun(workstation, 'Graded twice')
  await app.goto(`/runs/${id}`)
  await careMenu('Regrade…')
  const dialog = app.getByRole('dialog', { name: 'Regrade stored answers' })
  // Its fields are loaded after it.
  await expect(dialog.getByRole('checkbox').first()).toBeFocused()
  await dialog.getByRole('checkbox').first().check()
  // Scorers stand in groups, and an option is a field.
  await dialog.getByRole('combobox', { name: 'Scorer' }).click()
  await expect(app.getByText('lm-evaluation-harness', { exact: true })).toBeVisible()
  await app.getByRole('option', { name: /\(assay\/exact_match\)$/ }).click()
  await dialog.getByRole('checkbox', { name: 'Ignore case' }).check()
  await dialog.getByRole('button', { name: 'Edit options as JSON' }).click()
  const options = dialog.getByLabel('Options as JSON')
  await expect(options).toHaveValue(/"ignore_case": true/)
  await options.fill('{"ignore_case":')
  await dialog.getByRole('button', { name: 'Regrade', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('Not JSON:')
  expect(await violations(app)).toEqual([])
  await options.fill('{"nothing_known": 1}')
  await dialog.getByRole('button', { name: 'Regrade', exact: true }).click()
  await expect(dialog).toContainText('unknown field "nothing_known"')

  await dialog.getByRole('checkbox').first().uncheck()
  await dialog.getByRole('button', { name: 'Regrade' }).click()
  await expect(dialog).toBeHidden()
  await expect(app.getByRole('combobox', { name: 'Result version' })).toHaveValue('2, regraded (latest)')
})

test('a run is renamed, archived, found in the archive and restored', async ({ app, workstation, careMenu }) => {
  const id = await endedRun(workstation, 'First name')
  await app.goto(`/runs/${id}`)
  await careMenu('Rename…')
  await app.getByRole('dialog', { name: 'Rename the run' }).getByLabel('Name').fill('Second name')
  await app.keyboard.press('Enter')
  await expect(app.getByRole('heading', { level: 1, name: 'Second name' })).toBeVisible()
  await careMenu('Archive')
  await expect(app.getByText('Archived', { exact: true })).toBeVisible()

  await app.goto('/runs?q=Second name')
  await expect(app.getByRole('heading', { name: 'No runs match these filters' })).toBeVisible()
  await app.getByRole('combobox', { name: 'Archived' }).click()
  await app.getByRole('option', { name: 'Archived only' }).click()
  await expect(app).toHaveURL(/archived=true/)
  await app.getByRole('link', { name: 'Second name' }).click()
  await careMenu('Unarchive')
  await expect(app.getByText('Archived', { exact: true })).toHaveCount(0)
  await app.goto('/runs?q=Second name')
  await expect(app.getByRole('link', { name: 'Second name' })).toBeVisible()
})

test('a run is deleted after saying what goes and what stays', async ({ app, workstation, careMenu, complaints }) => {
  const id = await endedRun(workstation, 'To be deleted')
  await app.goto(`/runs/${id}`)
  await careMenu('Delete…')
  const dialog = app.getByRole('dialog', { name: 'Delete “To be deleted”?' })
  await expect(dialog).toContainText('20 samples with their transcripts and scores, its result.')
  await expect(dialog).toContainText('Kept: ledger entries')
  await dialog.getByRole('button', { name: 'Delete run' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible()
  await expect(app.getByRole('link', { name: 'To be deleted' })).toHaveCount(0)
  await app.goto(`/runs/${id}`)
  await expect(app.getByRole('heading', { name: 'Couldn’t load the run' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('the settings say what the data take, and give free space back', async ({ app, workstation }) => {
  await endedRun(workstation, 'Takes space')
  await app.goto('/settings')
  const storage = app.getByRole('region', { name: 'Storage' })
  await expect(storage).toContainText(/Database.*\d B|kB|MB/)
  await expect(storage).toContainText(/Contents.*\d+ runs? with [\d,]+ samples/)
  await storage.getByRole('button', { name: 'Compact database' }).click()
  await expect(storage).toContainText(/(freed|Nothing to free), just now/)
  await expect(storage.getByRole('button', { name: 'Compact database' })).toBeEnabled()
  expect(await violations(app)).toEqual([])
})

test('a failure to load sizes is reported and retried on request', async ({ app }) => {
  await app.route('**/v1/storage', route => route.fulfill({ status: 500, json: { error: { code: 'internal_error', message: 'Broken.' } } }))
  await app.goto('/settings')
  const storage = app.getByRole('region', { name: 'Storage' })
  await expect(storage.getByRole('heading', { name: 'Couldn’t load storage usage' })).toBeVisible()
  await app.unroute('**/v1/storage')
  await storage.getByRole('button', { name: 'Try again' }).click()
  await expect(storage.getByRole('button', { name: 'Compact database' })).toBeVisible()
})
