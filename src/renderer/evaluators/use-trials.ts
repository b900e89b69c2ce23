import { useEffect, useRef, useState } from 'react'
import type { EvaluatorTrial, NewEvaluatorTrial, TryEvaluator } from '../../contract/evaluators/evaluators.schemas.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'

/** What became of one output: `waiting` is being graded now. */
export type TrialOutcome =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'graded'; readonly trial: EvaluatorTrial }
  | { readonly kind: 'failed'; readonly error: Error }

interface Trials {
  /** By what was asked, so that a changed definition or example shows no verdict of another. */
  readonly outcomes: ReadonlyMap<string, TrialOutcome>
  /** Whether one of these was asked in the last run. */
  readonly concerns: (bodies: readonly TryEvaluator[]) => boolean
  readonly isRunning: boolean
  readonly isStopped: boolean
  readonly run: (bodies: readonly TryEvaluator[], limit: string | null) => Promise<void>
  readonly stop: () => void
}

export const trialKey = (body: TryEvaluator): string => JSON.stringify(body)

/** Grades outputs one after another under one limit, and stops at the first error: the next would most likely fail alike. */
export function useTrials(): Trials {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, TrialOutcome>>(new Map())
  const [asked, setAsked] = useState<ReadonlySet<string>>(new Set())
  const [isStopped, setStopped] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const control = useRef<AbortController | null>(null)
  const key = useIdempotencyKey('evaluator-trial')
  // Leaving the page stops calls that are not paid for yet.
  useEffect(() => () => control.current?.abort(), [])
  const put = (body: TryEvaluator, outcome: TrialOutcome | null): void =>
    setOutcomes(before => {
      const next = new Map(before)
      if (outcome) next.set(trialKey(body), outcome)
      else next.delete(trialKey(body))
      return next
    })

  const run = async (bodies: readonly TryEvaluator[], limit: string | null): Promise<void> => {
    const { signal } = (control.current = new AbortController())
    setAsked(new Set(bodies.map(trialKey)))
    setStopped(false)
    setRunning(true)
    for (const body of bodies) put(body, null)
    let left = limit === null ? null : BigInt(limit)
    for (const tried of bodies) {
      put(tried, { kind: 'waiting' })
      const body: NewEvaluatorTrial = { ...tried, ...(left !== null && { max_charge_microusd: String(left) }) }
      try {
        const trial = await call('runEvaluatorTrial', { body, headers: key.headersFor(body) }, { signal, announce: false })
        const { charged_microusd: charged, provider_billed_microusd: billed } = trial.spending
        // A provider may bill more than the call could cost.
        if (left !== null) left = greater(left - BigInt(charged) - BigInt(billed), 0n)
        put(tried, { kind: 'graded', trial })
        key.done()
      } catch (error) {
        put(tried, signal.aborted || !(error instanceof Error) ? null : { kind: 'failed', error })
        if (signal.aborted) key.done()
        break
      }
    }
    setRunning(false)
  }
  const stop = (): void => {
    setStopped(true)
    control.current?.abort()
  }
  return { outcomes, concerns: bodies => bodies.some(body => asked.has(trialKey(body))), isRunning, isStopped, run, stop }
}

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)
