import type { BodyExamples } from '../body-examples.ts'
import type { schedulesEndpoints } from './schedules.endpoints.ts'

export const schedulesExamples: BodyExamples<typeof schedulesEndpoints> = {
  createSchedule: {
    name: 'Arithmetic every morning',
    cron: '30 6 * * mon-fri',
    time_zone: 'Europe/Berlin',
    terms: {
      models: [{ kind: 'managed', route_id: 'assay/oracle-75' }],
      selection: { profile_ids: ['arithmetic-word-problems@1.0.0-seed20261101:zero-shot'] },
      coverage: { mode: 'sample', sample_count: 100, seed: 1 },
      max_charge_microusd: '0',
    },
    max_monthly_microusd: '5000000',
  },
  changeSchedule: { status: 'paused' },
}
