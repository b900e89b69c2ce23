import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import type { Assay } from './tool.ts'
import { untrusted } from './untrusted.ts'

/** Compatibility, cost and what can be detected. Messages name models and benchmarks, so they are data. */
export function describeQuote(quote: Quote, { pageUrl }: Pick<Assay, 'pageUrl'>): object {
  const { cost, counts } = quote
  const problems = quote.compatibility.checks.filter(({ status }) => status !== 'pass')
  // Several profiles may have the same.
  const warnings = [...new Map(quote.warnings.map(({ code, message }) => [message, { code, message }])).values()]
  return {
    quote_id: quote.id,
    expires_at: quote.expires_at,
    compatible: quote.compatibility.status === 'compatible',
    samples: counts.samples,
    model_calls: counts.model_calls,
    cost_microusd: {
      estimated: cost.estimated_charge_microusd,
      upper_bound: cost.upper_bound_microusd,
      cap: cost.max_charge_microusd,
      provider_estimated: cost.provider_billed_estimate_microusd,
      provider_upper_bound: cost.provider_billed_upper_bound_microusd,
    },
    detects: quote.statistics.map(({ profile_id: profile, n, minimum_detectable_difference: difference }) => ({
      profile_id: profile,
      n,
      minimum_detectable_difference: difference,
    })),
    ...untrusted({
      model: quote.model.title,
      problems: problems.map(({ check, status, detail }) => ({ check, status, detail })),
      warnings,
    }),
    page: pageUrl(`/quotes/${quote.id}`),
  }
}
