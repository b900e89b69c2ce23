import { createElement as h, type ReactElement } from 'react'
import type { Results } from '../../../../contract/runs/results.schemas.ts'
import { formatMicroUsd, formatUsd } from '../../../../lib/format/money.ts'
import { formatCount } from '../../../../lib/format/numbers.ts'
import { definitions, section } from './elements.ts'

const counters: Record<Results['usage']['tokens_counted_by'], string> = {
  provider: 'counted by the provider',
  tokenizer: 'counted here with a tokenizer',
  both: 'counted by the provider where it said, here with a tokenizer otherwise',
  none: 'not counted',
}

/** What the run used and what it cost; every amount with its exact micro-USD. */
export function cost({ billing, usage, reproducibility }: Results): ReactElement {
  const { rates } = reproducibility.model
  return section(
    'cost',
    'Cost',
    definitions([
      ['Charged', money(billing.charged_microusd)],
      ['Spending limit', money(billing.max_charge_microusd)],
      [
        'Billed by the provider, estimated',
        billing.provider_billed_estimate_microusd === null ? 'its rates are not known' : money(billing.provider_billed_estimate_microusd),
      ],
      ...(billing.possibly_billed_twice === 0
        ? []
        : [['Calls the provider may have billed twice', formatCount(billing.possibly_billed_twice)] as const]),
      ['Input tokens', usage.input_tokens === null ? 'not known' : formatCount(usage.input_tokens)],
      ['Output tokens', usage.output_tokens === null ? 'not known' : formatCount(usage.output_tokens)],
      ['Tokens', counters[usage.tokens_counted_by]],
      ...(rates === null
        ? []
        : [
            ['Rate per million input tokens', money(rates.input_microusd_per_million)] as const,
            ['Rate per million output tokens', money(rates.output_microusd_per_million)] as const,
          ]),
    ]),
  )
}

function money(microUsd: string): ReactElement {
  return h('span', { title: formatMicroUsd(microUsd) }, formatUsd(microUsd))
}
