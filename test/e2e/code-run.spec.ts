import type { BenchmarkDetail } from '../../src/contract/catalog/benchmarks.schemas.ts'
import { missingSandbox } from '../../src/engine/grading/sandbox/open-sandbox.ts'
import { profileId } from '../support/runs.ts'
import { openFullQuote } from './support/full-quote.ts'
import { openReport } from './support/open-report.ts'
import { ownerClient } from './support/owner-client.ts'
import { expect, test } from './support/workstation.ts'
import { patience } from '../support/machine-speed.ts'

test('model-written code is run: from the quote to pass@k, its sandbox, what became of one answer, and the opened report', async ({
  app,
  workstation,
  complaints,
}, testInfo) => {
  // The first question about code tries the sandboxes, and each answer takes processes of its own: long on a busy machine.
  const profile = await profileId(ownerClient(workstation), 'javascript-functions', 'zero-shot')
  await app.goto(`/quotes/new?profile=${encodeURIComponent(profile)}&route=assay/oracle-75`)
  await app.getByRole('textbox', { name: 'Tasks per profile' }).fill('3')
  await app.getByText('Execution settings').click()
  await app.getByRole('textbox', { name: 'Epochs' }).fill('2')
  await openFullQuote(app)
  await expect(app.getByText('Sandbox runs')).toBeVisible()
  await app.getByLabel('Name of the run').fill('Code in the browser')
  await app.getByRole('button', { name: 'Run', exact: true }).click()

  const attempts = app.getByRole('region', { name: 'Repeated attempts', exact: true })
  await expect(attempts).toBeVisible({ timeout: 60_000 * patience() })
  await attempts.getByRole('button', { name: /Show as table/ }).click()
  await expect(attempts.getByRole('table').getByRole('row')).toHaveText([/^Name/, /^pass\^2/, /^One attempt/, /^pass@2/])
  await expect(app.getByRole('table', { name: 'All metrics' })).toContainText('Passes base and plus tests, pass@2')
  await app.getByText('Reproducibility', { exact: true }).click()
  const record = app.getByRole('region', { name: 'Reproducibility', exact: true })
  await expect(record).toContainText(/JavaScript was run in.*QuickJS in WebAssembly: .*all \d+ probes refused; 256 MiB memory/)

  const report = await openReport(app, testInfo)
  await expect(report.getByRole('heading', { level: 1 })).toContainText('Code in the browser')
  await expect(report.getByRole('table', { name: 'Metrics' })).toContainText('Passes base and plus tests, pass@2')
  await report.getByRole('button', { name: 'Open sample 2' }).click()
  await expect(report.getByText('function', { exact: false }).first()).toBeVisible()
  await report.close()

  await app.getByRole('link', { name: 'Samples 6' }).click()
  const grid = app.getByRole('grid', { name: 'Samples' })
  await grid.getByRole('row').filter({ hasText: 'Correct' }).first().click()
  const transcript = app.getByRole('complementary', { name: 'Transcript' })
  await expect(transcript.locator('mark').first()).toContainText('function')
  await expect(transcript).toContainText(/All \d+ inputs give the right value\. Each call had 4 s\./)
  expect(complaints).toEqual([])
})

test('where no sandbox is, the benchmark says why and how to get one, and offers no quote', async ({ app, workstation }) => {
  // As the service answers on a machine that has none.
  const reason =
    missingSandbox(
      {
        tiers: [
          {
            id: 'linux',
            title: 'Linux namespaces with the system’s Python',
            language: 'python',
            available: false,
            reason: 'There is no Python 3.8 or newer on this machine. Install the package "python3".',
          },
        ],
        chosen: { python: null, javascript: null },
      },
      ['python'],
    ) ?? ''
  const missing = { status: 'runner_unavailable', reasons: [reason] } satisfies BenchmarkDetail['quote_availability']
  const detail = await ownerClient(workstation).call('getBenchmark', { params: { slug: 'python-functions' } })
  const json: BenchmarkDetail = {
    ...detail,
    quote_availability: missing,
    profiles: detail.profiles.map(profile => ({ ...profile, quote_availability: missing })),
  }
  await app.route('**/v1/catalog/benchmarks/python-functions', route => route.fulfill({ json }))
  await app.goto('/catalog/python-functions')
  await expect(app.getByText('Runner missing').first()).toBeVisible()
  await expect(app.getByText('this machine has no sandbox for that').first()).toBeVisible()
  await expect(app.getByText('Install the package "python3"').first()).toBeVisible()
  await expect(app.getByRole('link', { name: 'Quote Zero-shot' })).toHaveCount(0)
})
