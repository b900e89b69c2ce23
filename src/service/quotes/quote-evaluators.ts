import type { Evaluators } from '../evaluators/index.ts'
import type { StoredQuote } from './quotes.store.ts'

type Described = Omit<StoredQuote, 'id' | 'created_at' | 'expires_at'>

/** Characters of an English token. */
const charactersPerToken = 4
const assumedAnswerTokens = 200

/**
 * A quote with the metrics that evaluators add, and what their judges cost: the wallet's part within the same cap, and set aside with the
 * rest; the providers' part with what the connection's provider bills.
 */
export function withEvaluators(evaluators: Evaluators['runs'], workspaceId: string, quote: Described): Described {
  const { execution, profiles, counts, cost, compatibility, model, warnings } = quote
  const own = profiles.map(profile => ({
    ...profile,
    metrics: profile.metrics.map(metric => evaluators.ofProfile(workspaceId, metric, model.model)),
  }))
  const graders = own.flatMap(({ metrics }) => metrics.flatMap(({ evaluator }) => evaluator?.evaluator_version_id ?? []))
  const versions = [...new Set([...graders, ...execution.evaluators])]
  if (versions.length === 0) return quote
  const loc = ['body', 'execution', 'evaluators']
  const inputCharacters = (counts.input_tokens * charactersPerToken) / Math.max(1, counts.samples)
  const longestAnswer = (counts.output_tokens_upper_bound * charactersPerToken) / Math.max(1, counts.samples)
  const costs = evaluators.price(workspaceId, versions, {
    outputs: counts.samples,
    // The bound of a sample's prompt is not told apart by sample; twice the mean covers all but a few.
    longest: Math.ceil(2 * inputCharacters + longestAnswer),
    usual: Math.ceil(inputCharacters + assumedAnswerTokens * charactersPerToken),
  })
  const sum = (payer: 'wallet' | 'provider', of: 'estimated' | 'upperBound') =>
    costs.filter(judge => judge.payer === payer).reduce((total, judge) => total + (judge[of] ?? 0n), 0n)
  const unknown = costs.some(({ payer, estimated }) => payer === 'provider' && estimated === null)
  const [cap, billed, billedAtMost] = [
    BigInt(cost.max_charge_microusd),
    cost.provider_billed_estimate_microusd,
    cost.provider_billed_upper_bound_microusd,
  ]
  const charge = BigInt(cost.estimated_charge_microusd) + sum('wallet', 'estimated')
  const unavailable = costs.filter(judge => judge.unavailable !== null)
  const withMetrics = own.map(profile => {
    const taken = profile.metrics.map(({ id }) => id)
    const graded = new Set(profile.metrics.map(({ evaluator }) => evaluator?.evaluator_version_id))
    const added = execution.evaluators.filter(id => !graded.has(id.toLowerCase()))
    return { ...profile, metrics: [...profile.metrics, ...evaluators.metrics(workspaceId, added, taken, model.model, loc)] }
  })
  const cautions = withMetrics.flatMap(({ metrics }) => metrics.flatMap(({ evaluator }) => evaluator?.self_preference ?? []))
  return {
    ...quote,
    profiles: withMetrics,
    warnings: [...warnings, ...[...new Set(cautions)].map(caution => ({ code: 'judge_of_same_family', message: `${caution}.` }))],
    compatibility: {
      status: unavailable.length > 0 ? 'incompatible' : compatibility.status,
      checks: [
        ...compatibility.checks,
        ...unavailable.map(judge => ({
          check: 'model_available' as const,
          profile_id: null,
          status: 'fail' as const,
          detail: `The judge ${judge.name} can't be used: ${judge.unavailable}`,
        })),
      ],
    },
    counts: { ...counts, judge_calls: costs.reduce((total, { calls }) => total + calls, 0) },
    cost: {
      ...cost,
      components: [
        ...cost.components,
        ...costs.map(judge => ({
          kind: 'judge_calls' as const,
          quantity: judge.calls,
          unit: 'call',
          rate_microusd: null,
          estimated_microusd: judge.estimated === null ? null : String(judge.estimated),
          basis: `${judge.name}: one call for each question, without repair questions; answers of ${assumedAnswerTokens} tokens assumed.`,
        })),
      ],
      estimated_charge_microusd: String(charge < cap ? charge : cap),
      upper_bound_microusd: String(BigInt(cost.upper_bound_microusd) + sum('wallet', 'upperBound')),
      provider_billed_upper_bound_microusd:
        billedAtMost === null || unknown ? null : String(BigInt(billedAtMost) + sum('provider', 'upperBound')),
      provider_billed_estimate_microusd: billed === null || unknown ? null : String(BigInt(billed) + sum('provider', 'estimated')),
    },
  }
}
