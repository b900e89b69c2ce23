import { connectReplay } from './support/slow-run.ts'
import { ownerClient } from './support/owner-client.ts'
import { expectWholeAtDoubleZoom, violations, violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

test('an evaluation is started from a shipped suite, watched and cancelled', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const replay = await connectReplay(client, { answers: () => '#### 7', delayMs: 1000 }, { max_concurrency: 2 })
  try {
    await app.goto('/suites/evaluations')
    await expect(app.getByRole('heading', { name: 'No evaluations yet' })).toBeVisible()
    expect(await violations(app)).toEqual([])
    await app.getByRole('link', { name: 'Choose a suite' }).click()
    await app.getByRole('grid', { name: 'Suites' }).getByRole('link', { name: 'Long arithmetic' }).click()
    await expect(app.getByRole('heading', { name: 'Not run yet' })).toBeVisible()
    await app.getByRole('link', { name: 'Run as evaluation' }).click()
    await app.getByRole('combobox', { name: 'Model' }).click()
    await app.getByRole('option', { name: replay.connection.name }).click()
    await app.getByRole('textbox', { name: 'Name' }).fill('To be cancelled')
    await app.getByRole('button', { name: 'Start evaluation' }).click()

    await expect(app.getByRole('heading', { level: 1, name: 'To be cancelled' })).toBeVisible()
    const progress = app.getByRole('region', { name: 'Progress', exact: true })
    await expect(progress.getByText(/per second/)).toBeVisible()
    await expect(progress.getByRole('progressbar')).toHaveAttribute('aria-valuemax', '135')
    const sources = app.getByRole('table', { name: 'Sources of the evaluation' })
    await expect(sources.getByRole('row')).toHaveCount(2)
    await expect(sources.getByRole('row').nth(1)).toContainText(/^Arithmetic word problems · /)
    await app.getByRole('button', { name: 'Cancel evaluation' }).click()
    await app
      .getByRole('dialog', { name: /Cancel .*To be cancelled/ })
      .getByRole('button', { name: 'Cancel evaluation' })
      .click()
    await expect(app.getByText('Cancelled', { exact: true }).first()).toBeVisible()
    await expect(app.getByRole('button', { name: 'Cancel evaluation' })).toHaveCount(0)
    await expect(progress.getByText(/^\d+ not run: cancelled$/)).toBeVisible()

    await app.getByRole('link', { name: 'Evaluations', exact: true }).first().click()
    const row = app.getByRole('grid', { name: 'Evaluations' }).getByRole('row').filter({ hasText: 'To be cancelled' })
    await expect(row.getByText('Cancelled', { exact: true })).toBeVisible()
    await expect(row).toContainText(/Arithmetic word problems · /)
    await expect(row).not.toContainText('assay/')
  } finally {
    await replay.server.close()
  }
  expect(complaints).toEqual([])
})

test('an evaluation that cannot start says why, and stays on its form', async ({ app, workstation }) => {
  const { items } = await ownerClient(workstation).call('listPublicSuites', { query: {} })
  await app.goto(`/suites/${items[0]?.id}/evaluate`)
  await app.route('**/v1/evaluations', route =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, body: 'gone', contentType: 'text/plain' }) : route.continue(),
  )
  await app.getByRole('combobox', { name: 'Model' }).click()
  await app.getByRole('option', { name: 'Simulated model (75 %)' }).click()
  await app.getByRole('button', { name: 'Start evaluation' }).click()
  await expect(app.getByRole('heading', { name: 'The evaluation was not started' })).toBeVisible()
  await expect(app.getByRole('button', { name: 'Start evaluation' })).toBeEnabled()
})

test('evaluations have no serious accessibility fault and fit at 200 % zoom', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const { items } = await client.call('listPublicSuites', { query: {} })
  const evaluation = await client.call('createEvaluation', {
    body: {
      name: 'Seen in both schemes',
      model: { kind: 'managed', route_id: 'assay/oracle-75' },
      suite_version_id: items[0]?.id ?? '',
      max_charge_microusd: '0',
    },
  })
  await app.goto('/suites/evaluations')
  await app.getByRole('grid', { name: 'Evaluations' }).getByRole('row').nth(1).waitFor()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.goto(`/suites/evaluations/${evaluation.id}`)
  await app.getByRole('region', { name: 'Score', exact: true }).waitFor()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await expectWholeAtDoubleZoom(app)
})

test('an evaluation that is not there says so', async ({ app }) => {
  await app.goto('/suites/evaluations/01900000-0000-7000-8000-000000000099')
  await expect(app.getByRole('heading', { name: 'Couldn’t load the evaluation' })).toBeVisible()
})
