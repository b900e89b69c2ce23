import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Money } from '../ui/values/figures.tsx'

const kinds: Readonly<Record<Quote['cost']['components'][number]['kind'], string>> = {
  input_tokens: 'Input tokens',
  output_tokens: 'Output tokens',
  judge_calls: 'Judge calls',
  user_calls: 'Simulated user calls',
  sandbox_seconds: 'Sandbox seconds',
}

/** Decimals of every amount in the table, so that they line up; more only where an amount would read as nothing. */
function sharedDecimals(amounts: readonly (string | null)[]): number {
  return amounts.some(amount => amount !== null && amount !== '0' && BigInt(amount) < 10_000n) ? 4 : 2
}

/** The cost as one would sign it: each component with its basis, then what is expected, what is possible and what is allowed. */
export function QuoteCost({ quote: { cost, model } }: { readonly quote: Quote }) {
  const decimals = sharedDecimals([
    ...cost.components.map(one => one.estimated_microusd),
    cost.estimated_charge_microusd,
    cost.upper_bound_microusd,
  ])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that may scroll sideways must be reachable by keyboard
    <section className="table-plain-frame" tabIndex={0} aria-label="Cost by component">
      <table className="table table-plain quotes-cost" aria-label="Cost by component">
        <thead>
          <tr>
            <th scope="col">Component</th>
            <th scope="col" className="table-end">
              Quantity
            </th>
            <th scope="col" className="table-end">
              Rate per million
            </th>
            <th scope="col" className="quotes-cost-basis">
              Basis
            </th>
            <th scope="col" className="table-end">
              Estimate
            </th>
          </tr>
        </thead>
        <tbody>
          {cost.components.map(component => (
            <tr key={component.kind}>
              <th scope="row">{kinds[component.kind]}</th>
              <td className="table-end">{formatCount(component.quantity)}</td>
              <td className="table-end">
                {component.rate_microusd === null ? <Money microUsd={null} /> : formatUsd(component.rate_microusd)}
              </td>
              <td>{component.basis}</td>
              <td className="table-end">
                {component.estimated_microusd === null ? (
                  <Money microUsd={null} />
                ) : (
                  <Money microUsd={component.estimated_microusd} decimals={decimals} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <Total label="Expected charge to the wallet" microUsd={cost.estimated_charge_microusd} decimals={decimals} />
          <Total label="Upper bound, retries included" microUsd={cost.upper_bound_microusd} decimals={decimals} />
          <Total
            label="Spending limit: the run stops before it would charge more"
            microUsd={cost.max_charge_microusd}
            decimals={decimals}
            strong
          />
          {model.kind === 'connection' ? (
            <Total
              label="Estimated bill of the connection’s own provider"
              microUsd={cost.provider_billed_estimate_microusd}
              decimals={decimals}
            />
          ) : null}
          {model.kind === 'connection' ? (
            <Total
              label="Upper bound of that bill, retries included"
              microUsd={cost.provider_billed_upper_bound_microusd}
              decimals={decimals}
            />
          ) : null}
        </tfoot>
      </table>
    </section>
  )
}

interface TotalProps {
  readonly label: string
  readonly microUsd: string | null
  readonly decimals: number
  readonly strong?: boolean
}

function Total({ label, microUsd, decimals, strong = false }: TotalProps) {
  return (
    <tr className={strong ? 'quotes-cost-cap' : ''}>
      <th scope="row" colSpan={4}>
        {label}
      </th>
      <td className="table-end">
        <Money microUsd={microUsd} decimals={decimals} />
      </td>
    </tr>
  )
}
