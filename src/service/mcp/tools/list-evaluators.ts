import { z } from 'zod'
import { evaluatorKinds } from '../../../contract/evaluators/evaluator-definition.schemas.ts'
import { Cursor } from '../../../contract/primitives.ts'
import { defineTool } from '../tool.ts'
import { listOf, untrustedRow } from '../untrusted.ts'

export const listEvaluators = defineTool({
  name: 'list_evaluators',
  title: 'List evaluators',
  description: 'Latest version of each evaluator, with its calibration.',
  effect: 'read',
  calls: ['listEvaluators'],
  input: z.strictObject({
    q: z.string().max(200).default('').describe('Part of a name.'),
    kind: z.enum(evaluatorKinds).optional(),
    cursor: Cursor.optional(),
    limit: z.int().min(1).max(50).default(10),
  }),
  page: () => '/evaluators',
  run: async (query, { call, pageUrl }) => {
    const page = await call('listEvaluators', { query })
    const rows = page.items.map(evaluator => ({
      evaluator_version_id: evaluator.id,
      version: evaluator.version,
      kind: evaluator.definition.kind,
      model_calls_per_output: evaluator.requires.model_calls_per_output,
      calibration: { status: evaluator.calibration.status, verdict: evaluator.calibration.verdict },
      ...untrustedRow({ name: evaluator.name }),
    }))
    return listOf(rows, page.next_cursor, pageUrl('/evaluators'))
  },
})
