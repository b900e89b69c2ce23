import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { violations } from './support/violations.ts'
import { expect, prepare, test as base } from './support/workstation.ts'

const prepareRun = prepare(async workstation => {
  const client = ownerClient(workstation)
  const { id } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 20, seed: 1 },
  })
  return await runToEnd(client, workstation.baseUrl, (await submit(client, id, 'To be annotated')).id)
})

const test = base.extend<{ finished: Run }>({
  finished: async ({ workstation }, use) => use(await prepareRun(workstation)),
})

test('a run is bookmarked, tagged and noted, and found by all three', async ({ app, finished, complaints }) => {
  await app.goto(`/runs/${finished.id}`)
  await app.getByRole('button', { name: 'Bookmark', exact: true }).click()
  await expect(app.getByRole('button', { name: 'Bookmarked' })).toHaveAttribute('aria-pressed', 'true')
  const tags = app.getByRole('textbox', { name: 'Tags' }).or(app.getByRole('combobox', { name: 'Tags' }))
  await tags.fill('Needs <review>')
  await tags.press('Enter')
  await expect(app.getByText('must begin with a letter or digit')).toBeVisible()
  await tags.fill('Needs review')
  await tags.press('Enter')
  await app.getByRole('button', { name: 'Add note' }).click()
  await app.getByRole('textbox', { name: 'Note' }).fill('Lower than expected.\n<b>Look</b> at **row 4**')
  await app.getByRole('button', { name: 'Save note' }).click()
  const note = app.getByRole('list', { name: 'Notes' }).getByRole('listitem')
  await expect(note).toContainText('<b>Look</b> at **row 4**')
  expect(await violations(app)).toEqual([])

  await note.getByRole('button', { name: 'Edit' }).click()
  await app.getByRole('textbox', { name: 'Note' }).fill('As expected.')
  await app.getByRole('button', { name: 'Save note' }).click()
  await expect(note).toContainText('As expected.')
  await expect(note).toContainText('edited')

  await app.keyboard.press('Control+k')
  await app.getByRole('combobox', { name: 'Search pages and actions' }).fill('needs rev')
  await app.getByRole('option', { name: 'needs review Tag on 1 run' }).click()
  await expect(app).toHaveURL(/tag=needs\+review/)
  await expect(app.getByRole('grid', { name: 'Runs' }).getByRole('row').nth(1)).toContainText('needs review')
  await app.goto('/runs?bookmarked=true')
  await expect(app.getByRole('grid', { name: 'Runs' })).toContainText('To be annotated')

  await app.goto(`/runs/${finished.id}`)
  await note.getByRole('button', { name: 'Delete' }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Delete note' }).click()
  await expect(note).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('a tag beyond the first hundred is found by typing', async ({ app, workstation, finished, complaints }) => {
  const client = ownerClient(workstation)
  const { items } = await client.call('listSamples', { params: { run_id: finished.id }, query: { limit: 6 } })
  for (const [i, { id }] of items.entries()) {
    const add_tags = Array.from({ length: 20 }, (_, j) => `group ${i} number ${j}`)
    await client.call('changeAnnotations', { params: { run_id: finished.id }, body: { sample_ids: [id], add_tags } })
  }
  await app.goto(`/runs/${finished.id}/samples`)
  await app.getByRole('button', { name: 'Filters' }).click()
  const tag = app.getByRole('combobox', { name: 'Tag' })
  await tag.fill('5 number 19')
  await app.getByRole('option', { name: 'group 5 number 19' }).click()
  await expect(app).toHaveURL(/tag=group\+5\+number\+19/)
  await expect(app.getByRole('grid', { name: 'Samples' })).toHaveAttribute('aria-rowcount', '2')
  await tag.click()
  await expect(app.getByRole('option', { name: 'group 0 number 0' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a sample is noted and judged beside its transcript', async ({ app, finished, complaints }) => {
  await app.goto(`/runs/${finished.id}/samples`)
  const grid = app.getByRole('grid', { name: 'Samples' })
  await grid.getByRole('row').nth(1).waitFor()
  await grid.focus()
  await app.keyboard.press('ArrowDown')
  await app.keyboard.press('Enter')
  const panel = app.getByRole('complementary', { name: 'Transcript' })
  await panel.getByRole('button', { name: 'Add note' }).click()
  await app.keyboard.type('Target is ambiguous')
  await panel.getByRole('button', { name: 'Save note' }).click()
  await expect(panel.getByRole('list', { name: 'Notes' })).toContainText('Target is ambiguous')
  await panel.getByLabel('Reason for the verdict, optional').fill('Right number, wrong unit')
  await panel.getByRole('button', { name: 'Fail', exact: true }).click()
  await expect(panel.getByRole('list', { name: 'Verdicts' })).toContainText('Right number, wrong unit')
  expect(await violations(app)).toEqual([])

  await app.getByRole('button', { name: /^Filters/ }).click()
  await app.getByRole('combobox', { name: 'Notes' }).click()
  await app.getByRole('option', { name: 'With notes' }).click()
  await expect(grid).toHaveAttribute('aria-rowcount', '2')
  // What is chosen leaves the filters open for the next one.
  await app.getByRole('button', { name: 'Clear these filters' }).click()
  await expect(grid).not.toHaveAttribute('aria-rowcount', '2')
  expect(complaints).toEqual([])
})
