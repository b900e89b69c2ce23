import type { Results } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Money } from '../ui/values/figures.tsx'

export function Billing({ results: { billing, reproducibility } }: { readonly results: Results }) {
  const connected = reproducibility.model.kind === 'connection'
  return (
    <KeyValues
      items={{
        'Charged to the wallet': <Money microUsd={billing.charged_microusd} />,
        Cap: <Money microUsd={billing.max_charge_microusd} />,
        Held: <Money microUsd={billing.held_microusd} />,
        Accounting: billing.state,
        'Provider’s own bill, by its stated rates':
          connected && reproducibility.model.rates !== null ? <Money microUsd={billing.provider_billed_microusd} /> : null,
        'Provider’s own bill, estimated before': connected ? <Money microUsd={billing.provider_billed_estimate_microusd} /> : null,
        'Possibly billed twice':
          billing.possibly_billed_twice > 0
            ? `${formatCount(billing.possibly_billed_twice)} calls that were in flight when the service was stopped`
            : null,
      }}
    />
  )
}
