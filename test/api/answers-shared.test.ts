import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerImport } from '../../src/contract/answers/answers.schemas.ts'
import { importAnswers } from '../support/answers.ts'
import { importFiles } from '../support/imports.ts'
import { profileId } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { hasSharedData, readShared, withoutSharedData } from '../support/shared-data.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** How many of how many answers each metric counts as right. */
async function counted({ runs }: AnswerImport): Promise<Record<string, readonly [number, number]>> {
  const { metrics } = await service.client.call('getRunResults', { params: { run_id: runs[0]?.run_id ?? '' } })
  return Object.fromEntries(metrics.map(({ metric, estimate: { mean, n } }) => [metric, [Math.round((mean ?? Number.NaN) * n), n]]))
}

async function answered(slug: string, mapping: object, content: Uint8Array): Promise<AnswerImport> {
  const profile = await profileId(service.client, slug, 'zero-shot')
  return importAnswers(service, { profile_id: profile, model: 'm', mapping: JSON.stringify(mapping) }, [{ name: 'out.jsonl', content }])
}

describe.skipIf(!hasSharedData)(`published outputs ${withoutSharedData}`, () => {
  test('of Program of Thoughts on AQuA: 184 of 253 by its own rule, and one more where two choices read alike', async () => {
    const metrics = [{ scorer: 'assay/choice' }, { scorer: 'inspect_ai/pattern', options: { pattern: '([A-E])\\)' } }]
    const content = readShared('pot/aqua_gpt4.jsonl.gz')
    await importFiles(service, { format: 'jsonl', name: 'AQuA', profile: JSON.stringify({ metrics }) }, [{ name: 'aqua.jsonl', content }])
    const record = await answered('aqua', { output: 'generated_prediction' }, content)
    expect(await counted(record)).toMatchObject({ pattern: [184, 253], choice: [185, 253] })
  })

  test('of Program of Thoughts on TabMWP, of which some have choices: 5,622 of 7,685', async () => {
    const metrics = [{ scorer: 'assay/number_or_text', options: { relative: 0.001 } }]
    const content = readShared('pot/tabmwp.jsonl.gz')
    const imported = await importFiles(service, { format: 'jsonl', name: 'TabMWP', profile: JSON.stringify({ metrics }) }, [
      { name: 'tabmwp.jsonl', content },
    ])
    expect(imported).toMatchObject({ status: 'imported', rows: { read: 7685, valid: 7685 } })
    expect(imported.warnings.join()).toContain('rows have no choices in "choices", so all are imported as open questions')
    const record = await answered('tabmwp', { output: 'executed' }, content)
    expect(record).toMatchObject({ status: 'imported', rows: { read: 7685, invalid: 0 } })
    expect(record.warnings.join()).toContain('1 of 7301 outputs is a list')
    // The 384 programs that printed nothing have no output; published, they count as wrong.
    const { metrics: found } = await service.client.call('getRunResults', { params: { run_id: record.runs[0]?.run_id ?? '' } })
    expect(found.map(({ estimate, unscored }) => [estimate.n, unscored])).toEqual([[7301, 384]])
    expect(found[0]?.worst_case).toBeCloseTo(5622 / 7685, 12)
    const exported = await service.fetch(`/v1/runs/${record.runs[0]?.run_id}/exports/markdown`)
    expect(await exported.text()).toContain('| 384 | 73.2 % |')
    expect(await counted(record)).toEqual({ number_or_text: [5622, 7301] })
  })

  test('of IFBench: 77 strict and 87 loose of the 293 whose prompt is in its test file, the other named', async () => {
    await importFiles(service, { recipe: 'ifbench' }, [{ name: 'IFBench_test.jsonl', content: readShared('ifbench/tasks.jsonl.gz') }])
    const record = await answered('ifbench', {}, readShared('ifbench/sample_output.jsonl.gz'))
    expect(record).toMatchObject({ rows: { read: 294, matched: 293, unmatched: 1 }, unmatched: [{ line: 269 }] })
    expect(await counted(record)).toMatchObject({ strict: [77, 293], loose: [87, 293] })
  })
})
