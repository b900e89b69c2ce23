import { z } from 'zod'
import { MicroUsd, Uuid } from '../../../contract/primitives.ts'
import { IdempotencyKey } from '../idempotency-key.ts'
import { defineTool } from '../tool.ts'

export const startCalibration = defineTool({
  name: 'start_calibration',
  title: 'Start a calibration',
  description: 'Measures an evaluator against people’s labels of a dataset version. Judge calls cost money, at most the spending limit.',
  effect: 'spend',
  calls: ['createCalibration'],
  input: z.strictObject({
    evaluator_version_id: Uuid,
    dataset_version_id: Uuid,
    max_charge_microusd: MicroUsd.optional().describe('Required where judge calls have a known price.'),
    idempotency_key: IdempotencyKey,
  }),
  page: ({ evaluator_version_id: id }) => `/evaluators/${id}`,
  run: async ({ idempotency_key: key, ...body }, { call, pageUrl }) => {
    const { id, status } = await call('createCalibration', { body, headers: { 'idempotency-key': key } })
    return { calibration_id: id, status, page: pageUrl(`/evaluators/calibrations/${id}`) }
  },
})
