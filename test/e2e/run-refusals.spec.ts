import { Quote } from '../../src/contract/quotes/quotes.schemas.ts'
import { profileId, quote } from '../support/runs.ts'
import { openFullQuote } from './support/full-quote.ts'
import { ownerClient } from './support/owner-client.ts'
import { connectReplay } from './support/slow-run.ts'
import { expect, test } from './support/workstation.ts'

const oracle = { kind: 'managed', route_id: 'assay/oracle-75' } as const
const nobody = '01900000-0000-7000-8000-00000000dead'

test('an incompatible quote says why, and the way back keeps the form', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const replay = await connectReplay(client, { answers: () => 'ok' }, { context_tokens: 10 })
  await replay.server.close()
  const profile = await profileId(client, 'arithmetic-word-problems', '3-shot')
  await app.goto(`/quotes/new?profile=${encodeURIComponent(profile)}&connection=${replay.connection.id}`)
  await app.getByRole('textbox', { name: 'Tasks per profile' }).fill('77')
  await app.getByRole('textbox', { name: 'Spending limit', exact: true }).fill('2.50')
  await expect(app.getByRole('complementary', { name: 'Your selection' })).toContainText("pass the model's 10 tokens")
  await expect(app.getByRole('button', { name: 'Run', exact: true })).toHaveCount(0)
  await openFullQuote(app)
  await expect(app.getByText(/Incompatible: 1 of \d+ checks failed/)).toBeVisible()
  await expect(app.getByRole('table', { name: 'Failed checks and warnings' })).toContainText("pass the model's 10 tokens")
  await expect(app.getByRole('button', { name: 'Run', exact: true })).toHaveCount(0)

  await app.getByRole('complementary', { name: 'Submit' }).getByRole('link', { name: 'Change selection' }).click()
  await expect(app.getByRole('textbox', { name: 'Tasks per profile' })).toHaveValue('77')
  await expect(app.getByRole('textbox', { name: 'Spending limit', exact: true })).toHaveValue('2.5')
  await expect(app.getByRole('checkbox', { name: /3-shot/ })).toBeChecked()
  await expect(app.getByRole('complementary', { name: 'Your selection' })).toContainText(replay.connection.name)
})

test('an expired quote is quoted again', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const old = await quote(client, { model: oracle, profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')] })
  await app.route(`**/v1/quotes/${old.id}`, async route => {
    const reply = await route.fetch()
    await route.fulfill({ json: { ...Quote.parse(await reply.json()), status: 'expired', expires_at: old.created_at } })
  })
  await app.goto(`/quotes/${old.id}`)
  await expect(app.getByText('Expired', { exact: true })).toBeVisible()
  await expect(app.getByRole('button', { name: 'Run', exact: true })).toHaveCount(0)
  await app.getByRole('button', { name: 'Quote again' }).click()
  await expect(app).not.toHaveURL(new RegExp(old.id))
  await expect(app.getByRole('button', { name: 'Run', exact: true })).toBeVisible()
  const fresh = await client.call('getQuote', { params: { quote_id: app.url().split('/').at(-1) ?? '' } })
  expect(fresh.coverage).toEqual(old.coverage)
})

test('a quote whose answer was lost is sent again, also after a reload, and gives one run', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const { id } = await quote(client, { model: oracle, profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')] })
  const runsOf = async () => (await client.call('listRuns', { query: { q: 'Answer lost' } })).items
  await app.route('**/v1/runs', async route => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await app.goto(`/quotes/${id}`)
  await app.getByLabel('Name of the run').fill('Answer lost')
  await app.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(app.getByText('The run was not submitted')).toBeVisible()
  const [run] = await runsOf()
  await app.unroute('**/v1/runs')
  await app.reload()
  await expect(app.getByLabel('Name of the run')).toHaveValue('Answer lost')
  await expect(app.getByLabel('Name of the run')).toBeDisabled()
  await app.getByRole('button', { name: 'Send again' }).click()
  await expect(app).toHaveURL(`/runs/${run?.id}`)
  expect(await runsOf()).toHaveLength(1)
})

test('a refusal frees the form again', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const { id } = await quote(client, { model: oracle, profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')] })
  await app.goto(`/quotes/${id}`)
  await app.route('**/v1/runs', route =>
    route.fulfill({ status: 402, json: refusal('insufficient_credit', 'The wallet holds too little.') }),
  )
  await app.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(app.getByText('The wallet holds too little.')).toBeVisible()
  await expect(app.getByText(nobody)).toBeVisible()
  await expect(app.getByLabel('Name of the run')).toBeEnabled()
})

test('a run that does not exist, and a result that cannot be read, name their requests', async ({ app, workstation }) => {
  await app.goto(`/runs/${nobody}`)
  await expect(app.getByText('Couldn’t load the run')).toBeVisible()
  await expect(app.getByText(/404 not_found/)).toBeVisible()
  await app.goto(`/quotes/${nobody}`)
  await expect(app.getByText('Couldn’t load the quote')).toBeVisible()

  const client = ownerClient(workstation)
  const { id: quoteId } = await quote(client, {
    model: oracle,
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
  })
  await app.goto(`/quotes/${quoteId}`)
  await app.route('**/results?*', route => route.fulfill({ status: 500, json: refusal('internal_error', 'It broke.') }))
  await app.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(app.getByText('Couldn’t load the results')).toBeVisible()
  await expect(app.getByText(nobody)).toBeVisible()
  await app.unroute('**/results?*')
  await app.getByRole('button', { name: 'Try again' }).click()
  await expect(app.getByRole('region', { name: 'Score', exact: true })).toBeVisible()
})

function refusal(code: string, message: string) {
  return {
    error: { code, message, request_id: nobody, feedback: { url: '/v1/feedback', method: 'POST', request_id: nobody, docs: '/docs' } },
  }
}
