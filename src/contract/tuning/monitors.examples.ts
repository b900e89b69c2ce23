import type { BodyExamples } from '../body-examples.ts'
import type { tuneMonitorsEndpoints } from './monitors.endpoints.ts'

export const tuneMonitorsExamples: BodyExamples<typeof tuneMonitorsEndpoints> = {
  createTuneMonitor: {
    name: 'Word problems each day',
    profile_id: 'arithmetic-word-problems@1.0.0-seed20261101:zero-shot',
    baseline: { run_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e02' },
    schedule: 'day',
    max_charge_microusd: '0',
    max_monthly_microusd: '0',
  },
  patchTuneMonitor: { status: 'paused' },
  createTuneMonitorEvent: { type: 'release', ref: 'v2.1', note: 'New prompt' },
  queueTuneWorkload: { outputs: [{ input: 'What is 6 times 7?', output: '42', expected: '42' }] },
}
