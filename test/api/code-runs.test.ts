import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { javascriptProbes } from '../../src/engine/grading/sandbox/javascript-probes.ts'
import { pythonProbes } from '../../src/engine/grading/sandbox/probes.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const bundled = [
  ['python-functions', 'evalplus', ['plus_tests', 'base_tests']],
  ['javascript-functions', 'evalplus', ['plus_tests', 'base_tests']],
  ['everyday-programs', 'evalplus_mbpp', ['plus_tests', 'base_tests']],
  ['contest-problems', 'livecodebench', ['all_tests']],
  ['spreadsheet-edits', 'spreadsheetbench', ['hard', 'soft']],
] as const

describe.each(bundled)('%s by the runner %s', (slug, runner, metrics) => {
  test('is quoted, run and graded in the sandbox: the reference scores 1, chance 0', async () => {
    const detail = await service.client.call('getBenchmark', { params: { slug } })
    expect(detail).toMatchObject({ runner, quote_availability: { status: 'ready_for_quote', reasons: [] } })
    expect(detail.latest_version?.task_counts['test']).toBeGreaterThanOrEqual(100)
    const profiles = [await profileId(service.client, slug, 'zero-shot')]
    expect(await means(profiles, 'assay/oracle-100')).toEqual(metrics.map(metric => [metric, 12, 1]))
    expect(await means(profiles, 'assay/random')).toEqual(metrics.map(metric => [metric, 12, 0]))
  })
})

test('says which sandboxes this machine has', async () => {
  const { sandboxes } = await service.client.call('getExecutionOptions', {})
  expect(sandboxes.map(({ id }) => id)).toEqual(['linux', 'portable', 'quickjs'])
  expect(sandboxes.filter(({ available }) => available).length).toBeGreaterThanOrEqual(1)
  for (const { available, reason } of sandboxes) expect(reason).toMatch(available ? /probes are refused/ : /./)
})

async function means(profiles: readonly string[], route: string) {
  const model = { kind: 'managed', route_id: route } as const
  const made = await quote(service.client, { model, profiles, coverage: { mode: 'sample', sample_count: 12, seed: 5 } })
  expect(made.counts.sandbox_executions).toBe(12)
  const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, made.id)).id)
  expect(run.status).toBe('complete')
  const { metrics, reproducibility } = await service.client.call('getRunResults', { params: { run_id: run.id } })
  expect(reproducibility.sandboxes).toMatchObject([
    profiles[0]?.startsWith('javascript')
      ? { id: 'quickjs', language: 'javascript', probes_refused: javascriptProbes.length }
      : { language: 'python', probes_refused: pythonProbes.length, interpreter: expect.stringMatching(/^(Python|pyodide) \d+\.\d+/) },
  ])
  return metrics.map(({ metric, estimate }) => [metric, estimate.n, estimate.mean])
}
