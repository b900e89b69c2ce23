import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { expect, test } from './support/workstation.ts'

test('an environment is found from the catalog, shows its tools and is quoted from its page', async ({ app, complaints }) => {
  await app.goto('/catalog')
  await app.getByRole('link', { name: 'Environments' }).click()
  const grid = app.getByRole('grid', { name: 'Environments' })
  await grid.getByRole('row').filter({ hasText: 'Customer desk' }).click()
  await expect(app.getByRole('heading', { name: 'Customer desk', level: 1 })).toBeVisible()
  await expect(app.getByRole('table', { name: 'Tools' }).getByRole('row')).toHaveCount(7)
  await app
    .getByRole('button', { name: 'Quote Tools by text' })
    .or(app.getByRole('link', { name: 'Quote Tools by text' }))
    .click()
  await expect(app.getByRole('checkbox', { name: 'Customer desk · Tools by text' })).toBeChecked()
  expect(complaints).toEqual([])
})

test('the turns of an episode are a timeline by role that opens turn by turn', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const { id } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    profiles: [await profileId(client, 'customer-desk', 'text-tools')],
    coverage: { mode: 'sample', sample_count: 2, seed: 1 },
  })
  const run = await runToEnd(client, workstation.baseUrl, (await submit(client, id)).id)
  const [sample] = (await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 1 } })).items
  await app.goto(`/runs/${run.id}/samples/${sample?.id ?? ''}`)
  const turns = app.getByRole('region', { name: 'Conversation' }).getByRole('listitem')
  await expect(turns.first()).toBeVisible()
  const open = turns.locator('details[open]')
  const before = await open.count()
  await turns.locator('details:not([open]) > summary').first().click()
  await expect(open).toHaveCount(before + 1)
})
