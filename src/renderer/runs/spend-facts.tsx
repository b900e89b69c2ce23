import type { Accounting } from '../../contract/runs/accounting.schemas.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Money } from '../ui/values/figures.tsx'
import { Fact } from './facts.tsx'

/** What a run has cost so far against its spending limit: of the wallet, or, for a connection, by its provider's stated rates. */
export function SpendFacts({ run: { model, accounting } }: { readonly run: Run }) {
  const twice = accounting.possibly_billed_twice
  return (
    <>
      {model.kind === 'managed' ? (
        <Fact name="Spent" title={`Accounting: ${accounting.state}`}>
          <Money microUsd={accounting.charged_microusd} />
          {model.rates === null && accounting.charged_microusd === '0' ? null : (
            <>
              {' of '}
              <Money microUsd={accounting.max_charge_microusd} />
            </>
          )}
        </Fact>
      ) : (
        <Fact
          name="Provider cost"
          title="The cost that the provider states, otherwise by the connection’s rates; your wallet is not charged"
        >
          <ProviderBill accounting={accounting} />
        </Fact>
      )}
      {twice > 0 ? (
        <Fact
          name="Possibly billed twice"
          title="Calls that were cut off, timed out, or came without a readable token count. Their upper bound counts toward the limit."
        >
          {formatCount(twice)} {twice === 1 ? 'call' : 'calls'}
        </Fact>
      ) : null}
    </>
  )
}

function ProviderBill({ accounting }: { readonly accounting: Accounting }) {
  const { provider_billed_microusd: billed, max_provider_billed_microusd: cap } = accounting
  if (billed === null) return <Money microUsd={null} />
  return (
    <>
      <Money microUsd={billed} />
      {cap === null ? ', no spending limit' : ' of '}
      {cap === null ? null : <Money microUsd={cap} />}
    </>
  )
}
