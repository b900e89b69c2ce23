import type { Run } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Money } from '../ui/values/figures.tsx'
import { Fact } from './facts.tsx'

/** What a run has cost so far, each against its cap: of the wallet, and by the provider's stated rates. */
export function SpendFacts({ run: { model, accounting } }: { readonly run: Run }) {
  const twice = accounting.possibly_billed_twice
  return (
    <>
      <Fact name="Spent" title={`Accounting: ${accounting.state}`}>
        <Money microUsd={accounting.charged_microusd} /> of <Money microUsd={accounting.max_charge_microusd} />
      </Fact>
      {model.kind === 'connection' ? (
        <Fact name="Provider’s bill" title="By the rates that the connection states">
          {model.rates === null ? (
            <span className="quiet">rates not stated</span>
          ) : (
            <>
              <Money microUsd={accounting.provider_billed_microusd} />
              {accounting.max_provider_billed_microusd === null ? (
                ', no cap'
              ) : (
                <>
                  {' '}
                  of <Money microUsd={accounting.max_provider_billed_microusd} />
                </>
              )}
            </>
          )}
        </Fact>
      ) : null}
      {twice > 0 ? (
        <Fact name="Possibly billed twice" title="Calls that were in flight when the service was stopped">
          {formatCount(twice)} {twice === 1 ? 'call' : 'calls'}
        </Fact>
      ) : null}
    </>
  )
}
