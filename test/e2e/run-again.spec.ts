import { readFile } from 'node:fs/promises'
import { Results } from '../../src/contract/runs/results.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { connectReplay, submitReplay } from './support/slow-run.ts'
import { violations } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

// Runs, their parts and what follows from them take their time on a busy machine.
test('unscored samples are retried, and the result has two versions', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const faults = ['ok', 'server-error', 'ok', 'server-error'] as const
  const replay = await connectReplay(client, { answers: () => '#### 7', faults, delayMs: 20 }, { max_concurrency: 1 })
  try {
    const { id } = await submitReplay(client, replay, 12, 'Two failed', { max_attempts: 1 })
    await runToEnd(client, workstation.baseUrl, id)
    await app.goto(`/runs/${id}`)
    await expect(app.getByText('2 of 12 samples have no score', { exact: false })).toBeVisible()
    await app.getByRole('button', { name: 'Retry 2 unscored' }).click()
    const dialog = app.getByRole('dialog', { name: 'Retry 2 samples?' })
    await expect(dialog).toContainText('Provider cost unknown; no spending limit is set.')
    await dialog.getByRole('button', { name: 'Retry' }).click()

    // The run itself says how far the retry is, and the score before and after it.
    await expect(app.getByRole('heading', { level: 1, name: 'Two failed', exact: true })).toBeVisible()
    const retry = app.getByRole('table', { name: 'Retries' }).getByRole('row').nth(1)
    await expect(retry).toContainText(/Unscored samples.*2.*Complete.*\(n = 10\).*version 1.*\(n = 12\).*version 2/)
    await expect(app.getByText(/have no score/)).toHaveCount(0)

    const version = app.getByRole('combobox', { name: 'Result version' })
    await expect(version).toHaveValue('2, after retry (latest)')
    await version.click()
    await app.getByRole('option', { name: '1, as the run ended' }).click()
    await expect(app).toHaveURL(/version=1$/)
    await expect(app.getByRole('region', { name: 'Score', exact: true })).toContainText('(n = 10)')
    expect(await violations(app)).toEqual([])
    await app.getByRole('button', { name: 'Export version 1' }).click()
    const saving = app.waitForEvent('download')
    await app.getByRole('menuitem', { name: 'Everything (JSON)' }).click()
    const saved: unknown = JSON.parse(await readFile(await (await saving).path(), 'utf8'))
    expect(saved).toMatchObject({ results: { result_version: 1 } })
    await app.getByRole('combobox', { name: 'Result version' }).click()
    await app.getByRole('option', { name: '(latest)' }).click()
    await expect(app.getByRole('region', { name: 'Score', exact: true })).toContainText('(n = 12)')
    await expect(app.getByRole('button', { name: 'Export', exact: true })).toBeVisible()
    Results.parse(await client.call('getRunResults', { params: { run_id: id }, query: { version: 2 } }))
  } finally {
    await replay.server.close()
  }
  expect(complaints).toEqual([])
})

test('samples are chosen in the list and asked again, and so is a single one', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const replay = await connectReplay(client, { answers: () => '#### 7' })
  try {
    const { id } = await submitReplay(client, replay, 8, 'Some once more')
    await runToEnd(client, workstation.baseUrl, id)
    await app.goto(`/runs/${id}/samples`)
    const grid = app.getByRole('grid', { name: 'Samples' })
    await grid.getByRole('checkbox', { name: 'Select sample 3' }).check()
    await grid.focus()
    await app.keyboard.press('Home')
    await app.keyboard.press('Space')
    await expect(grid.getByRole('checkbox', { name: 'Select sample 1' })).toBeChecked()
    expect(await violations(app)).toEqual([])
    await app.getByRole('button', { name: 'Retry' }).click()
    await app.getByRole('menuitem', { name: 'Selected: 2 samples' }).click()
    await app.getByRole('dialog', { name: 'Retry 2 samples?' }).getByRole('button', { name: 'Retry' }).click()
    await expect(app.getByRole('heading', { level: 1, name: 'Some once more', exact: true })).toBeVisible()
    const retries = app.getByRole('table', { name: 'Retries' }).getByRole('row')
    await expect(retries.nth(1)).toContainText(/Selected samples.*2.*Complete.*version 1.*version 2/)

    const { items } = await client.call('listSamples', { params: { run_id: id }, query: { limit: 1 } })
    await app.goto(`/runs/${id}/samples/${items[0]?.id}`)
    await app.getByRole('button', { name: 'Retry' }).click()
    await app.getByRole('dialog', { name: 'Retry this sample?' }).getByRole('button', { name: 'Retry' }).click()
    await expect(retries).toHaveCount(3)
    await expect(retries.nth(1)).toContainText(/Selected samples.*1.*Complete.*version 2.*version 3/)

    await app.goto(`/runs/${id}/samples?passed=false`)
    await grid.getByRole('row').nth(1).waitFor()
    await app.getByRole('button', { name: 'Retry' }).click()
    await app.getByRole('menuitem', { name: 'All samples matching the filters' }).click()
    const wrong = (await client.call('listSamples', { params: { run_id: id }, query: { passed: 'false' } })).items.length
    await expect(app.getByRole('dialog', { name: `Retry ${wrong} samples?` })).toBeVisible()
    expect((await client.call('getRun', { params: { run_id: id } })).parts).toMatchObject([
      { selection: 'chosen', samples: 2 },
      { selection: 'chosen', samples: 1 },
    ])
  } finally {
    await replay.server.close()
  }
})

test('a run stopped by its spending limit resumes when the limit is raised', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const rates = { input_microusd_per_million: '1000000', output_microusd_per_million: '1000000' }
  const replay = await connectReplay(client, { answers: () => '#### 7' }, { max_concurrency: 1 }, rates)
  try {
    const { id } = await submitReplay(client, replay, 20, 'Capped', { max_provider_billed_microusd: '600', max_output_tokens: 100 })
    await runToEnd(client, workstation.baseUrl, id)
    await app.goto(`/runs/${id}`)
    await expect(app.getByText('Spending limit reached').first()).toBeVisible()
    await expect(app.getByRole('region', { name: 'Progress', exact: true })).toContainText('of $0.0006')
    await app.getByRole('button', { name: 'Raise the limit' }).click()
    const dialog = app.getByRole('dialog', { name: 'Raise the limit' })
    const amount = dialog.getByLabel('Provider spending limit')
    await amount.fill('0.0005')
    await expect(dialog).toContainText('Enter more than $0.0006')
    await expect(dialog.getByRole('button', { name: 'Raise the limit' })).toBeDisabled()
    await amount.fill('1')
    await app.keyboard.press('Enter')
    await expect(app.getByText('Limit raised; missing samples are being run.')).toBeVisible()
    await expect(app.getByRole('table', { name: 'Retries' }).getByRole('row').nth(1)).toContainText(/Complete.*version 2/)
    const strip = app.getByRole('region', { name: 'Samples in order' })
    const scored = async () =>
      [...(await strip.innerText()).matchAll(/(\d+) (?:correct|wrong|partial)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
    await expect.poll(scored).toBe(20)
    await expect(app.getByText('Spending limit reached')).toHaveCount(0)
  } finally {
    await replay.server.close()
  }
})

test('answers from the cache are marked as such', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const replay = await connectReplay(client, { answers: () => '#### 7' })
  try {
    for (const name of ['Asked', 'Remembered']) {
      const { id } = await submitReplay(client, replay, 5, name, { cache: true })
      await runToEnd(client, workstation.baseUrl, id)
      await app.goto(`/runs/${id}/samples`)
      await app.getByRole('grid', { name: 'Samples' }).getByRole('row').nth(1).waitFor()
      await expect(app.getByText('cached', { exact: true })).toHaveCount(name === 'Asked' ? 0 : 5)
    }
    await app.getByText('cached', { exact: true }).first().hover()
    await expect(app.getByRole('tooltip')).toContainText('Times, tokens and cost are those of the original answer.')
  } finally {
    await replay.server.close()
  }
})

test('running with another model keeps the size and settings of the run', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const { id: quoteId } = await quote(client, { model: { kind: 'managed', route_id: 'assay/echo' }, profiles: [profile] })
  const { id } = await runToEnd(client, workstation.baseUrl, (await submit(client, quoteId)).id)
  await app.goto(`/runs/${id}`)
  await app.getByRole('button', { name: 'More for this run' }).click()
  await app.getByRole('menuitem', { name: 'Run with another model' }).click()
  await expect(app.getByRole('radiogroup', { name: 'Coverage' }).getByRole('radio', { name: 'Every task' })).toBeChecked()
  await expect(app.getByRole('button', { name: 'Run', exact: true })).toHaveCount(0)
})
