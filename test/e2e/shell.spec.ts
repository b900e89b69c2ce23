import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, openHome, test } from './support/workstation.ts'

test('every page in the rail opens, names itself and takes the focus to its heading', async ({ app, complaints }) => {
  await openHome(app)
  const rail = app.getByRole('navigation', { name: 'Main' })
  const names = await rail.getByRole('link').allTextContents()
  expect(names).toEqual(expect.arrayContaining(['Home', 'Catalog', 'Models', 'Runs', 'Settings']))
  for (const name of names.toReversed()) {
    const link = rail.getByRole('link', { name, exact: true })
    await link.click()
    await expect(link).toHaveAttribute('aria-current', 'page')
    const heading = app.getByRole('heading', { level: 1 })
    await expect(heading).toBeFocused()
    await expect(app).toHaveTitle(`${await heading.textContent()} · Assay`)
  }
  expect(complaints).toEqual([])
})

test('the command palette finds pages and actions by keyboard alone', async ({ app, complaints }) => {
  await openHome(app)
  await app.keyboard.press('Control+k')
  await app.keyboard.type('import')
  await app.keyboard.press('Enter')
  await expect(app).toHaveURL('/catalog/import')
  await expect(app.getByRole('heading', { level: 1, name: 'Import benchmark data' })).toBeFocused()

  await app.keyboard.press('Control+k')
  await app.keyboard.press('ArrowDown')
  await expect(app.getByRole('option', { selected: true })).toContainText('Catalog')
  await app.keyboard.type('instruction following')
  await expect(app.getByRole('option', { name: 'Instruction following Benchmark' })).toBeVisible()
  await app.keyboard.press('Escape')
  await expect(app.getByRole('dialog')).toBeHidden()
  await app.keyboard.press('?')
  await expect(app.getByRole('dialog', { name: 'Keyboard' })).toContainText('Select the row')
  await app.keyboard.press('Escape')
  await expect(app.getByRole('dialog')).toBeHidden()
  expect(complaints).toEqual([])
})

test('the command palette finds evaluators, decisions, sessions and datasets by name', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const profiles = [await profileId(client, 'arithmetic-word-problems', 'zero-shot')]
  const coverage = { mode: 'sample' as const, sample_count: 8, seed: 1 }
  const { id: quoteId } = await quote(client, { model: { kind: 'managed', route_id: 'assay/oracle-75' }, profiles, coverage })
  const run = await runToEnd(client, workstation.baseUrl, (await submit(client, quoteId, 'Eight')).id)
  await client.call('createDataset', { body: { name: 'Zebra answers', task: 'answer' } })
  await client.call('createEvaluator', {
    body: { name: 'Zebra match', definition: { kind: 'deterministic', scorer: 'assay/exact_match' } },
  })
  await client.call('createTuneSession', { body: { name: 'Zebra tuning', from_run: { run_id: run.id } } })
  const groups = [{ key: 'all', title: 'All', weight: 1, selection: { run_id: run.id } }]
  const suite = await client.call('createReleaseSuite', { body: { name: 'Eight', groups } })
  const policy = await client.call('createReleasePolicy', {
    body: { name: 'Half', rules: [{ key: 'score', kind: 'min_score', threshold: 0.5 }] },
  })
  await client.call('createReleaseDecision', {
    body: {
      name: 'Zebra release',
      candidate: { label: 'Eight', run_ids: { all: run.id } },
      suite_version_id: suite.id,
      policy_id: policy.id,
      max_charge_microusd: '0',
    },
  })
  await openHome(app)
  await app.keyboard.press('Control+k')
  await app.keyboard.type('zebra')
  for (const name of ['Zebra answers Dataset', 'Zebra match Evaluator', 'Zebra release Release decision', 'Zebra tuning Tuning session'])
    await expect(app.getByRole('option', { name })).toBeVisible()
  await app.getByRole('option', { name: 'Zebra match Evaluator' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Zebra match' })).toBeVisible()

  // At 1280 a list shows its last column whole.
  for (const [path, last] of [
    ['/evaluators', 'Saved'],
    ['/releases', 'Created'],
  ] as const) {
    await app.goto(path)
    const header = app.getByRole('columnheader', { name: last })
    await expect(header).toBeVisible()
    const { x, width } = (await header.boundingBox()) ?? { x: Number.NaN, width: 0 }
    expect(x + width).toBeLessThanOrEqual(1280 - 24)
  }
  expect(complaints).toEqual([])
})

test('the skip link jumps over the rail', async ({ app }) => {
  await openHome(app)
  await app.keyboard.press('Tab')
  await expect(app.getByRole('link', { name: 'Skip to the page' })).toBeFocused()
  await app.keyboard.press('Enter')
  await expect(app.getByRole('main')).toBeFocused()
})

test('an address that does not exist says so and leads back', async ({ app }) => {
  await app.goto('/no/such/page')
  await expect(app.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await app.getByRole('link', { name: 'Go to Home' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
})

test('an unreachable service is reported immediately, and the page recovers by itself', async ({ app }) => {
  await app.goto('/settings')
  await app.route('**/v1/**', route => route.abort('connectionrefused'))
  await app.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Catalog' }).click()
  await expect(app.getByText('this page may be out of date')).toBeVisible()
  await expect(app.getByRole('heading', { name: 'Couldn’t load the catalog' })).toBeVisible()

  await app.unroute('**/v1/**')
  await expect(app.getByText('this page may be out of date')).toBeHidden()
  await expect(app.getByRole('grid', { name: 'Benchmarks' })).toBeVisible()
})

test('an error names its request, so that it can be reported', async ({ app }) => {
  const request_id = '01900000-0000-7000-8000-000000000001'
  await app.route('**/v1/catalog/benchmarks?*', route =>
    route.fulfill({
      status: 500,
      json: {
        error: {
          code: 'internal_error',
          message: 'The catalog could not be read.',
          request_id,
          feedback: { url: '/v1/feedback', method: 'POST', request_id, docs: '/docs' },
        },
      },
    }),
  )
  await app.goto('/catalog')
  await expect(app.getByRole('alert').getByText(request_id)).toBeVisible()
  await app.unroute('**/v1/catalog/benchmarks?*')
  await app.getByRole('button', { name: 'Try again' }).click()
  await expect(app.getByRole('grid', { name: 'Benchmarks' })).toBeVisible()
})

test('the guide is searched, a page is read, and a term leads to the glossary', async ({ app, complaints }) => {
  await openHome(app)
  await app.getByRole('button', { name: 'More' }).click()
  await app.getByRole('link', { name: 'Guide' }).click()
  await app.getByLabel('Search the guide').fill('kappa annotators')
  await expect(app.getByRole('list', { name: 'Pages' }).getByRole('link')).toHaveText(['Trust a judge'])
  await app.getByRole('link', { name: 'Trust a judge' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Trust a judge' })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('link', { name: 'Kappa' }).click()
  await expect(app).toHaveURL(/\/guide\/glossary#kappa$/)
  await expect(app.getByRole('heading', { name: 'Kappa' })).toBeInViewport()
  expect(complaints).toEqual([])
})
