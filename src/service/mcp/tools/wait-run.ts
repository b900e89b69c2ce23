import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { isTerminal } from '../../../contract/machine.ts'
import { runMachine } from '../../../contract/runs/run.machine.ts'
import { Uuid } from '../../../contract/primitives.ts'
import { describeRun } from '../describe-run.ts'
import { defineTool } from '../tool.ts'

/** Milliseconds between two looks: short at first, since many runs end within a second. */
const [shortest, longest] = [100, 2_000]

export const waitRun = defineTool({
  name: 'wait_run',
  title: 'Wait for a run',
  description: 'Waits until the run has ended or the seconds are over; call it again while final=false.',
  effect: 'read',
  calls: ['getRun'],
  input: z.strictObject({ run_id: Uuid, seconds: z.int().min(1).max(50).default(25) }),
  page: ({ run_id: id }) => `/runs/${id}`,
  run: async ({ run_id: id, seconds }, context) => {
    const end = performance.now() + seconds * 1000
    for (let pause = shortest; ; pause = Math.min(longest, pause * 1.5)) {
      // Each look shows the key again: one that was revoked meanwhile is refused.
      const run = await context.call('getRun', { params: { run_id: id } })
      const left = end - performance.now()
      if (isTerminal(runMachine, run.status) || left <= 0) return describeRun(run, context)
      await delay(Math.min(pause, left), undefined, { signal: context.signal })
    }
  },
})
