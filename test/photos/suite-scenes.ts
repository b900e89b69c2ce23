import type { Page } from '@playwright/test'
import type { TestClient } from '../support/service.ts'
import type { Scene } from './scenes.ts'

/** A shipped suite, what an evaluation of it would cost, and the evaluation. */
export async function suiteScenes(client: TestClient): Promise<readonly Scene[]> {
  const { items } = await client.call('listPublicSuites', { query: {} })
  const [{ id: suite, name } = { id: '', name: '' }] = items
  const { id } = await client.call('createEvaluation', {
    body: {
      name: `${name}: Simulated model (75 %)`,
      model: { kind: 'managed', route_id: 'assay/oracle-75' },
      suite_version_id: suite,
      max_charge_microusd: '0',
    },
  })
  return [
    { name: 'suite', path: `/suites/${suite}` },
    { name: 'suite-evaluate', path: `/suites/${suite}/evaluate` },
    { name: 'suite-evaluate-chosen', path: `/suites/${suite}/evaluate`, open: chooseModel },
    { name: 'suite-evaluate-failing', path: `/suites/${suite}/evaluate`, failing: /evaluations\/quotes/, open: chooseModel },
    { name: 'evaluation', path: `/suites/evaluations/${id}` },
    { name: 'suite-failing', path: `/suites/${suite}`, failing: /\/v1\/suites\// },
  ]
}

async function chooseModel(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Model' }).click()
  await page.getByRole('option', { name: 'Simulated model (75 %)' }).click()
  await page.getByRole('button', { name: 'Start evaluation' }).or(page.getByRole('alert')).waitFor()
}
