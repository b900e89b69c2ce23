import { z } from 'zod'
import { Cursor, Uuid } from '../../../contract/primitives.ts'
import { sampleStates } from '../../../contract/runs/run.machine.ts'
import { rounded } from '../figures.ts'
import { defineTool } from '../tool.ts'
import { isPlainId, notice, taskIdRow } from '../untrusted.ts'

export const listSamples = defineTool({
  name: 'list_samples',
  title: 'List samples',
  description: 'Samples of a run with verdict and error code, without their texts.',
  effect: 'read',
  calls: ['listSamples'],
  input: z.strictObject({
    run_id: Uuid,
    status: z.enum(sampleStates).optional(),
    passed: z.boolean().optional(),
    no_verdict: z.literal(true).optional().describe('Samples that neither passed nor failed; instead of `passed`.'),
    q: z.string().max(200).default('').describe('Part of a task id, an answer or the beginning of an output.'),
    cursor: Cursor.optional(),
    limit: z.int().min(1).max(50).default(20),
  }),
  page: ({ run_id: id }) => `/runs/${id}/samples`,
  run: async ({ run_id: id, passed, no_verdict: noVerdict, ...query }, { call, pageUrl }) => {
    const page = await call('listSamples', { params: { run_id: id }, query: { ...query, passed: noVerdict ? 'none' : passedWord(passed) } })
    return {
      ...(page.items.every(sample => isPlainId(sample.task_id)) ? {} : { untrusted_data_notice: notice }),
      items: page.items.map(sample => ({
        sample_id: sample.id,
        ...taskIdRow(sample.task_id),
        status: sample.status,
        passed: sample.passed,
        ...(sample.epoch > 1 ? { epoch: sample.epoch } : {}),
        ...(sample.error ? { error: sample.error.code } : {}),
        ...(sample.notices.length > 0 ? { notices: sample.notices.map(({ code }) => code) } : {}),
        latency_ms: rounded(sample.latency_ms),
      })),
      total: page.total,
      next_cursor: page.next_cursor,
      page: pageUrl(`/runs/${id}/samples`),
    }
  },
})

function passedWord(passed: boolean | undefined): 'true' | 'false' | undefined {
  if (passed === undefined) return undefined
  return passed ? 'true' : 'false'
}
