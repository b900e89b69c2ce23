import type { Page } from '@playwright/test'
import type { Quote } from '../../src/contract/quotes/quotes.schemas.ts'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { expectWholeAtDoubleZoom, violations, violationsInBothSchemes } from './support/violations.ts'
import { expect, prepare, test as base } from './support/workstation.ts'

const prepareWork = prepare(async workstation => {
  const client = ownerClient(workstation)
  const open = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    profiles: [
      await profileId(client, 'arithmetic-word-problems', 'zero-shot'),
      await profileId(client, 'arithmetic-word-problems', '3-shot'),
    ],
  })
  const run = await runToEnd(client, workstation.baseUrl, (await submit(client, open.id, 'Looked at')).id)
  const [sample] = (await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 1 } })).items
  return { quote: open, run, sampleId: sample?.id ?? '' }
})

const test = base.extend<{ work: Awaited<ReturnType<typeof prepareWork>> }>({
  work: async ({ workstation }, use) => use(await prepareWork(workstation)),
})

interface View {
  readonly name: string
  readonly open: (app: Page, work: { quote: Quote; run: Run; sampleId: string }) => Promise<void>
}

const views: readonly View[] = [
  {
    name: 'the form of a quote',
    open: async (app, work) => {
      await app.goto(`/quotes/new?from=${work.quote.id}`)
      await app.getByText('Execution settings').click()
      await app.getByRole('checkbox').nth(1).waitFor()
    },
  },
  {
    name: 'the model choice',
    open: async app => {
      await app.goto('/quotes/new')
      await app.getByRole('combobox', { name: 'Model' }).click()
      await app.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'a quote',
    open: async (app, work) => {
      await app.goto(`/quotes/${work.quote.id}`)
      await app.getByRole('button', { name: 'Run', exact: true }).waitFor()
    },
  },
  {
    name: 'the list of runs',
    open: async app => {
      await app.goto('/runs')
      await app.getByRole('row').filter({ hasText: 'Looked at' }).getByRole('button', { name: '+1 more score' }).waitFor()
    },
  },
  {
    name: 'the results of a run',
    open: async (app, work) => {
      await app.goto(`/runs/${work.run.id}`)
      await app.getByText('Latency and length').click()
      await app.getByRole('group', { name: 'Output tokens of answers' }).waitFor()
      await app.getByRole('button', { name: /Show as table.*Scores/ }).click()
    },
  },
  {
    name: 'the samples of a run beside a transcript',
    open: async (app, work) => {
      await app.goto(`/runs/${work.run.id}/samples?open=${work.sampleId}`)
      await app.getByRole('region', { name: 'Attempts' }).waitFor()
    },
  },
  {
    name: 'a sample on a page of its own',
    open: async (app, work) => {
      await app.goto(`/runs/${work.run.id}/samples/${work.sampleId}`)
      await app.getByRole('region', { name: 'Attempts' }).waitFor()
    },
  },
]

for (const { name, open } of views) {
  test(`${name} has no serious accessibility fault and fits at 200 % zoom`, async ({ app, work, complaints }) => {
    await open(app, work)
    expect(await violationsInBothSchemes(app)).toEqual([])
    await expectWholeAtDoubleZoom(app)
    expect(complaints).toEqual([])
  })
}

test('a workspace without runs says what to do next', async ({ app }) => {
  await app.route('**/v1/runs?*', route => route.fulfill({ json: { items: [], next_cursor: null } }))
  await app.goto('/runs')
  await expect(app.getByRole('heading', { name: 'No runs yet' })).toBeVisible()
  expect(await violations(app)).toEqual([])
  await app.getByRole('link', { name: 'New run' }).last().click()
  await expect(app.getByRole('heading', { level: 1, name: 'New run' })).toBeVisible()
})
