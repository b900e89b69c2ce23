import { guarded } from '../../lib/guarded.ts'
import type { Kernel } from '../kernel.ts'
import type { Runs } from '../runs/index.ts'

/** Tuning waits this long for a run that cannot continue: its endpoint does not answer, or it cannot be executed. */
export const outagePatienceMs = 30 * 60_000
/** Between looks at a run that is waited for. */
const lookEveryMs = 1_000

/** Ends a run that could not continue for too long: there may be no person to resume or cancel it. */
export function giveUpStalled({ clock }: Pick<Kernel, 'clock'>, gated: Runs['gated'], workspaceId: string, runId: string): void {
  const { outage } = gated.state(workspaceId, runId) ?? {}
  if (!outage || clock.now().getTime() - outage.since < outagePatienceMs) return
  gated.stop(workspaceId, runId, {
    code: outage.code ?? 'time_limit',
    message: `${outage.message} Assay stopped waiting after ${outagePatienceMs / 60_000} minutes without an answer.`,
  })
}

/** Waits for a run to end, and gives it up when it cannot continue. */
export async function endedOrGivenUp(
  kernel: Pick<Kernel, 'clock' | 'log' | 'storage'>,
  runs: Pick<Runs, 'gated' | 'ended'>,
  workspaceId: string,
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  const look = () => kernel.storage.attempt(() => giveUpStalled(kernel, runs.gated, workspaceId, runId))
  const timer = setInterval(
    guarded(look, error => kernel.log.error({ err: error }, 'looking for stalled runs failed')),
    lookEveryMs,
  )
  try {
    await runs.ended(workspaceId, runId, signal)
  } finally {
    clearInterval(timer)
  }
}
