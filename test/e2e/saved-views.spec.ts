import type { Page } from '@playwright/test'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { violations } from './support/violations.ts'
import { expect, prepare, test } from './support/workstation.ts'

const names = ['Asks for a refund', 'Asks about "shipping": 12 €', 'Says nothing']

interface Prepared {
  readonly run: Run
  readonly datasetId: string
}

const filled = prepare<Prepared>(async workstation => {
  const client = ownerClient(workstation)
  const profiles = [await profileId(client, 'arithmetic-word-problems', 'zero-shot')]
  const { id } = await quote(client, { model: { kind: 'managed', route_id: 'assay/oracle-75' }, profiles })
  const run = await runToEnd(client, workstation.baseUrl, (await submit(client, id, 'A run to look at')).id)
  const { id: datasetId } = await client.call('createDataset', { body: { name: 'Support', description: '', task: 'answer' } })
  await client.call('addExamples', { params: { dataset_id: datasetId }, body: { examples: names.map(input => ({ input })) } })
  const spans = names.map((name, i) => ({
    traceId: `${i + 1}`.repeat(32),
    spanId: `${i + 1}`.repeat(16),
    name,
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
    attributes: [{ key: 'output.value', value: { stringValue: `${'long '.repeat(200)} says <${i}> at last` } }],
  }))
  await fetch(`${workstation.baseUrl}/v1/traces`, {
    method: 'POST',
    headers: { ...workstation.owner, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  })
  return { run, datasetId }
})

async function save(app: Page, name: string): Promise<void> {
  await app.getByRole('button', { name: 'Views', exact: true }).click()
  await app.getByRole('textbox', { name: 'Name of the view' }).fill(name)
  await app.getByRole('button', { name: 'Save' }).click()
}

const lists = [
  { list: 'Traces', path: () => '/traces', search: 'Search traces' },
  { list: 'Samples', path: ({ run }: Prepared) => `/runs/${run.id}/samples`, search: 'Search samples' },
  { list: 'Examples', path: ({ datasetId }: Prepared) => `/datasets/${datasetId}`, search: 'Search examples' },
] as const

for (const { list, path, search } of lists)
  test(`a view of ${list.toLowerCase()} keeps search, order and exact text, is replaced by its name and deleted`, async ({
    app,
    workstation,
    complaints,
  }) => {
    const address = path(await filled(workstation))
    await app.goto(address)
    const field = app.getByRole('searchbox', { name: search })
    await field.fill('the')
    await expect(app).toHaveURL(/q=the/)
    await app.getByRole('button', { name: 'Exact text' }).click()
    await expect(app).toHaveURL(/match=exact/)
    // The longest name that fits; the rest is not typed.
    const long = `${'Very long '.repeat(6)}name`
    await save(app, long)
    await app.goto(address)
    await expect(field).toHaveValue('')
    await app.getByRole('button', { name: 'Views', exact: true }).click()
    expect(await violations(app)).toEqual([])
    await app.getByRole('button', { name: long.slice(0, 60).trim(), exact: true }).click()
    await expect(app).toHaveURL(/match=exact&q=the$/)
    await expect(field).toHaveValue('the')

    await field.fill('other')
    await expect(app).toHaveURL(/q=other/)
    await save(app, '  Mine ')
    await field.fill('third')
    await expect(app).toHaveURL(/q=third/)
    await save(app, 'Mine')
    await app.reload()
    await app.getByRole('button', { name: 'Views', exact: true }).click()
    await expect(app.getByRole('button', { name: 'Mine', exact: true })).toHaveCount(1)
    await app.getByRole('button', { name: 'Mine', exact: true }).click()
    await expect(field).toHaveValue('third')
    await app.getByRole('button', { name: 'Views', exact: true }).click()
    await app.getByRole('button', { name: 'Delete Mine', exact: true }).click()
    await expect(app.getByRole('button', { name: 'Mine', exact: true })).toHaveCount(0)
    expect(complaints).toEqual([])
  })

test('views saved in two windows are all kept, and one of a value that is gone shows no rows and a way back', async ({
  app,
  context,
  workstation,
}) => {
  const { run } = await filled(workstation)
  const other = await context.newPage()
  await Promise.all([app.goto(`/runs/${run.id}/samples?capability=gone-since`), other.goto(`/runs/${run.id}/samples?outcome=wrong`)])
  await save(app, 'One')
  await save(other, 'Two')
  await app.reload()
  await app.getByRole('button', { name: 'Views', exact: true }).click()
  await expect(app.getByRole('button', { name: 'Two', exact: true })).toBeVisible()
  await app.getByRole('button', { name: 'One', exact: true }).click()
  await expect(app.getByText('No samples match these filters')).toBeVisible()
  await app.getByRole('button', { name: 'Clear filters' }).click()
  await expect(app.getByRole('grid')).toBeVisible()
  // A hand-edited address is a list, not an error.
  await app.goto(`/runs/${run.id}/samples?outcome=marvelous&sort=shoe_size&from=x`)
  await expect(app.getByRole('grid')).toBeVisible()
})

test('stored views that cannot be read are none', async ({ app, workstation, complaints }) => {
  const { run } = await filled(workstation)
  await app.addInitScript(() => localStorage.setItem('assay.views.samples', '{"broken'))
  await app.goto(`/runs/${run.id}/samples`)
  await app.getByRole('button', { name: 'Views', exact: true }).click()
  await expect(app.getByRole('textbox', { name: 'Name of the view' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a trace is found on its page by exact text that its preview does not show', async ({ app, workstation }) => {
  await filled(workstation)
  await app.goto('/traces?q=says+<1>+at&match=exact')
  const grid = app.getByRole('grid', { name: 'Traces' })
  await expect(grid.getByText(names[1] ?? '')).toBeVisible()
  await expect(grid.getByText(names[0] ?? '')).toHaveCount(0)
  await expect(app.getByRole('button', { name: 'Exact text' })).toHaveAttribute('aria-pressed', 'true')
})
