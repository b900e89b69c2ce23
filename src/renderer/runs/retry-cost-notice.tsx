import type { Run } from '../../contract/runs/runs.schemas.ts'
import { Money } from '../ui/values/figures.tsx'
import { retryCost } from './retry-cost.ts'

/** In a sentence: what asking samples again may cost, and what the run's cap leaves for it. */
export function RetryCostNotice({ run, samples }: { readonly run: Run; readonly samples: number }) {
  const { payer, estimate, left } = retryCost(run, samples)
  const whose = payer === 'wallet' ? 'your wallet is charged' : 'the provider bills'
  return (
    <>
      {estimate === null ? (
        payer === 'wallet' ? (
          'Wallet cost unknown'
        ) : (
          'Provider cost unknown'
        )
      ) : (
        <>
          At the cost of a sample so far, {whose} about <Money microUsd={estimate} />
        </>
      )}
      {left === null ? (
        '; no spending limit is set.'
      ) : (
        <>
          ; the spending limit leaves <Money microUsd={left} />.
        </>
      )}
    </>
  )
}
