import { Fragment } from 'react'
import type { Rates } from '../../contract/catalog/models.schemas.ts'
import { Money } from '../ui/values/figures.tsx'
import { partRates } from './part-rates.ts'

/** What a million tokens cost, in and out. */
export function RatesText({ rates }: { readonly rates: Rates | null }) {
  if (rates === null) return <Money microUsd={null} />
  const { input_microusd_per_million: input, output_microusd_per_million: output } = rates
  if (input === '0' && output === '0') return 'free'
  return (
    <>
      <Money microUsd={input} /> in, <Money microUsd={output} /> out
      {partRates.map(({ rate, label }) => {
        const own = rates[rate]
        return own === undefined ? null : (
          <Fragment key={rate}>
            , <Money microUsd={own} /> {label.toLowerCase()}
          </Fragment>
        )
      })}
      , per million tokens
    </>
  )
}
