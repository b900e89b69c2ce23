import { ApiError } from '../../contract/errors.ts'
import type { TuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import { armReasons } from '../../contract/tuning/race.schemas.ts'
import type { Kernel } from '../kernel.ts'
import type { Runs } from '../runs/index.ts'
import type { GroupArm, GroupRow } from './groups.store.ts'
import { type ArmShare, shareRest } from './share-cap.ts'
import { giveUpStalled } from './stalled-runs.ts'

/** The runs behind the arms of a group. */
export function createRaceRuns({ clock, log }: Pick<Kernel, 'clock' | 'log'>, { gated }: Pick<Runs, 'gated'>) {
  const states = (workspaceId: string, arms: readonly GroupArm[]) =>
    arms.map(({ arm, runId }) => ({ arm, runId, state: gated.state(workspaceId, runId) }))

  return {
    /** Ends the run of an arm that needs no further answers; one that has them all completes. */
    stop: (workspaceId: string, arm: GroupArm): void => {
      const state = gated.state(workspaceId, arm.runId)
      if (!state || state.isEnded) return
      if (state.left === 0) return gated.setGate(workspaceId, arm.runId, null)
      gated.stop(workspaceId, arm.runId, { code: 'decided_early', message: describeStop(arm) })
    },
    /** Ends the runs of arms that could not continue for too long: the rest of such an arm counts as missing. */
    giveUp: (workspaceId: string, arms: readonly GroupArm[]): void => {
      for (const { runId } of arms) giveUpStalled({ clock }, gated, workspaceId, runId)
    },
    /** What ended arms did not spend goes to the open ones. */
    shareRest: (
      workspaceId: string,
      { arms }: GroupRow,
      quote: Pick<TuneQuote, 'max_charge_microusd' | 'max_provider_billed_microusd'>,
    ) => {
      const open = states(workspaceId, arms).flatMap(({ runId, state }) => (state ? [{ runId, state }] : []))
      const share = (of: (state: (typeof open)[number]['state']) => Omit<ArmShare, 'isEnded'>) =>
        open.map(({ state }) => ({ ...of(state), isEnded: state.isEnded }))
      const wallet = shareRest(
        BigInt(quote.max_charge_microusd),
        share(({ maxCharge: cap, charged: spent, upperBound: bound }) => ({ cap, spent, bound })),
      )
      const billed = quote.max_provider_billed_microusd
      const provider =
        billed === null
          ? null
          : shareRest(
              BigInt(billed),
              share(({ maxBilled, billed: spent, providerBound }) => ({ cap: maxBilled ?? 0n, spent, bound: providerBound ?? 0n })),
            )
      for (const [i, { runId, state }] of open.entries()) {
        const caps = { wallet: wallet[i] ?? state.maxCharge, provider: state.maxBilled === null ? null : (provider?.[i] ?? null) }
        if (state.isEnded || (caps.wallet <= state.maxCharge && (caps.provider ?? 0n) <= (state.maxBilled ?? 0n))) continue
        try {
          gated.raiseCaps(workspaceId, runId, caps)
        } catch (error) {
          // The wallet or the key may have less left by now; the arm continues with the limit that it has.
          if (!(error instanceof ApiError)) throw error
          log.info({ err: error, runId }, 'the spending limit of an arm could not be raised')
        }
      }
    },
  }
}

function describeStop({ arm, verdict, reason }: GroupArm): string {
  if (arm === 0) return 'Stopped early: every candidate is decided.'
  return `Stopped early: ${verdict ?? 'undecided'}. ${armReasons[reason ?? 'pending']}`
}
