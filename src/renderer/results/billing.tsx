import type { Results } from '../../contract/runs/results.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Money } from '../ui/values/figures.tsx'

export function Billing({ results: { billing, reproducibility } }: { readonly results: Results }) {
  const connected = reproducibility.model.kind === 'connection'
  // A connection and a free route charge the wallet nothing, so that a limit of the wallet limits nothing.
  const charges = !connected && reproducibility.model.rates !== null
  return (
    <KeyValues
      items={{
        'Charged to the wallet': <Money microUsd={billing.charged_microusd} />,
        'Wallet spending limit': charges ? <Money microUsd={billing.max_charge_microusd} /> : null,
        Reserved: charges ? <Money microUsd={billing.held_microusd} /> : null,
        Accounting: billing.state,
        'Provider’s own bill':
          connected && billing.provider_billed_microusd !== null ? <Money microUsd={billing.provider_billed_microusd} /> : null,
        'Provider spending limit':
          connected && billing.max_provider_billed_microusd === null ? (
            'none'
          ) : connected ? (
            <Money microUsd={billing.max_provider_billed_microusd} />
          ) : null,
        'Provider’s own bill, estimated before': connected ? <Money microUsd={billing.provider_billed_estimate_microusd} /> : null,
        'Possibly billed twice':
          billing.possibly_billed_twice > 0
            ? `${formatCount(billing.possibly_billed_twice)} calls that were cut off, timed out, or came without a readable token count`
            : null,
      }}
    />
  )
}
