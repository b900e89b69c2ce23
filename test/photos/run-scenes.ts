import type { Page } from '@playwright/test'
import type { TestClient } from '../support/service.ts'
import { startModelServer } from '../journeys/model-server/server.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import type { Scene } from './scenes.ts'

interface RunSceneOptions {
  readonly client: TestClient
  readonly baseUrl: string
  /** A finished run of a benchmark with breakdowns, and a comparison of it. */
  readonly runId: string
  readonly sampleId: string
  readonly comparisonId: string
}

const answer = [
  '### Working',
  'She starts with **12** marbles and loses $\\frac{1}{4}$ of them:',
  '1. $12 - 3 = 9$',
  '2. Then she finds `4` more.',
  '',
  '| step | marbles |',
  '|---|---|',
  '| lost | 9 |',
  '| found | 13 |',
  '',
  'The answer is 13.',
].join('\n')

/** What a run looks like below its first screen, where something failed, and once that was retried. */
export async function runScenes({ client, baseUrl, runId, sampleId, comparisonId }: RunSceneOptions): Promise<readonly Scene[]> {
  // The check takes the first reply. Then some calls fail, each in a way of its own.
  const faults = [
    'ok',
    ...Array.from({ length: 24 }, (_, i) => (i % 6 === 5 ? 'server-error' : i % 6 === 2 ? 'half-an-answer' : 'ok')),
  ] as const
  const models = await startModelServer({ answers: () => answer, faults: [...faults] })
  try {
    const { id } = await client.call('createConnection', {
      body: { name: 'Flaky endpoint', base_url: models.baseUrl, model: 'replay', limits: { max_concurrency: 1 } },
    })
    await client.call('checkConnection', { params: { connection_id: id } })
    const partial = async (name: string): Promise<string> => {
      const { id: quoteId } = await quote(client, {
        model: { kind: 'connection', connection_id: id },
        profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
        coverage: { mode: 'sample', sample_count: 12, seed: 1 },
        execution: { max_attempts: 1 },
      })
      const run = await submit(client, quoteId, name)
      return (await runToEnd(client, baseUrl, run.id)).id
    }
    const failed = await partial('Flaky endpoint on Arithmetic word problems (Zero-shot)')
    const retried = await partial('Flaky endpoint, retried')
    const part = await client.call('retryFailed', { params: { run_id: retried } })
    await runToEnd(client, baseUrl, part.id)
    // For the list of recent jobs: runs may all have ended when it is opened.
    await client.call('prepareRunExport', { params: { run_id: runId }, body: { format: 'parquet' } })
    const { items } = await client.call('listSamples', { params: { run_id: failed }, query: { limit: 1, status: 'scored' } })
    return [
      { name: 'run-partial', path: `/runs/${failed}` },
      { name: 'run-retried', path: `/runs/${retried}` },
      { name: 'run-breakdown', path: `/runs/${runId}`, open: scrollTo('Breakdowns') },
      { name: 'comparison-breakdown', path: `/compare/${comparisonId}`, open: scrollTo('Where it comes from') },
      { name: 'run-export-menu', path: `/runs/${runId}`, open: page => page.getByRole('button', { name: 'Export' }).click() },
      { name: 'run-end', path: `/runs/${failed}`, open: unfold },
      { name: 'retry-dialog', path: `/runs/${failed}`, open: page => page.getByRole('button', { name: /^Retry \d/ }).click() },
      { name: 'jobs', path: '/runs', open: page => page.getByRole('button', { name: /running$|^Recent jobs$/ }).click() },
      { name: 'palette', path: '/runs', open: searchPalette },
      { name: 'help', path: '/runs', open: page => page.keyboard.press('?') },
      { name: 'run-export-failing', path: `/runs/${runId}`, failing: /\/export/, open: exportReport },
      { name: 'sample-formatted', path: `/runs/${failed}/samples/${items[0]?.id ?? sampleId}`, open: showFormatted },
      {
        name: 'quote-new-end',
        path: '/quotes/new',
        open: page => page.locator('main').evaluate(main => main.scrollTo(0, main.scrollHeight)),
      },
    ]
  } finally {
    await models.close()
  }
}

function scrollTo(heading: string): (page: Page) => Promise<void> {
  return page =>
    page
      .getByRole('heading', { name: heading })
      .first()
      .evaluate(element => element.scrollIntoView({ block: 'start' }))
}

/** Opens what is folded, and shows the end of the page. */
async function unfold(page: Page): Promise<void> {
  const folded = page.locator('main details:not([open]) > summary')
  while ((await folded.count()) > 0) await folded.first().click()
  await page.locator('main').evaluate(main => main.scrollTo(0, main.scrollHeight))
}

async function searchPalette(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('arith')
  await page.getByRole('option').first().waitFor()
}

async function exportReport(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /Report \(HTML\)/ }).click()
  await page.getByText('The export was not saved').waitFor()
}

async function showFormatted(page: Page): Promise<void> {
  await page.getByText('Formatted (r)').first().click()
  await page.locator('.markdown').filter({ visible: true }).first().waitFor()
}
