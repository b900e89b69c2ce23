import { invalidField } from '../../contract/errors.ts'
import type { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import type { UserModel } from '../../contract/worlds/worlds.schemas.ts'
import { isSimulated, longestToolPrompt } from '../../engine/execution/environments/worlds/simulated-tool.ts'
import type { PlayedWorld } from '../../engine/tasks/definition.ts'
import type { Evaluators } from '../evaluators/index.ts'
import { uncountedFiles } from './count-files.ts'
import { charactersPerToken, type JudgedSamples } from './judged-samples.ts'
import { blindJudge } from './quote-warnings.ts'
import type { StoredQuote } from './quotes.store.ts'

type Described = Omit<StoredQuote, 'id' | 'created_at' | 'expires_at'>
type Runs = Evaluators['runs']
type JudgeCost = ReturnType<Runs['price']>[number]

const assumedAnswerTokens = 200

const loc = ['body', 'execution', 'evaluators']

/** @throws ApiError validation_error for an unknown evaluator, and one named twice: its judges would be paid twice for one metric */
export function chosenEvaluators(evaluators: Pick<Runs, 'requireKnown'>, workspaceId: string, ids: readonly string[]): string[] {
  const known = ids.map(id => id.toLowerCase())
  const repeated = known.findIndex((id, i) => known.indexOf(id) !== i)
  if (repeated >= 0) throw invalidField([...loc, repeated], `"${ids[repeated]}" is selected twice`, 'duplicate')
  evaluators.requireKnown(workspaceId, known, loc)
  return known
}

/**
 * A quote with the metrics that evaluators add, and what their judges cost: the wallet's part within the same cap, and set aside with the
 * rest; the providers' part with what the connection's provider bills.
 */
export function withEvaluators(
  evaluators: Runs,
  workspaceId: string,
  quote: Described,
  chosen: readonly string[],
  /** Of each profile of the quote. */
  judged: readonly PlayedSamples[],
): Described {
  const { execution, profiles, counts, cost, compatibility, model, warnings } = quote
  const own = profiles.map(profile => ({
    ...profile,
    metrics: profile.metrics.map(metric => evaluators.ofProfile(workspaceId, metric, model.model)),
  }))
  const gradersOf = ({ metrics }: Pick<FrozenProfile, 'metrics'>) =>
    metrics.flatMap(({ evaluator }) => evaluator?.evaluator_version_id ?? [])
  const versions = [...new Set([...own.flatMap(gradersOf), ...chosen])]
  const users = judged.flatMap(({ user, ...size }) => (user ? [evaluators.priceUser(workspaceId, user.model, playedSize(size, user))] : []))
  if (versions.length === 0 && users.length === 0) return quote
  const blind = new Map<string, Described['warnings'][number]>()
  const judges = versions.flatMap(version => {
    // A profile's own evaluator grades its samples only.
    const graded = judged.filter((_, i) => chosen.includes(version) || gradersOf(own[i] ?? { metrics: [] }).includes(version))
    const costs = graded.map(size => evaluators.price(workspaceId, [version], judgedSize(size)))
    const shown = graded.flatMap(({ files }) => files)
    for (const { name, sees } of costs[0] ?? []) for (const warning of blindJudge(name, sees, shown)) blind.set(warning.message, warning)
    return totalByJudge(costs)
  })
  const costs = [...judges, ...users]
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
    const graded = gradersOf(profile)
    const added = chosen.filter(id => !graded.includes(id))
    return { ...profile, metrics: [...profile.metrics, ...evaluators.metrics(workspaceId, added, taken, model.model, loc)] }
  })
  const cautions = withMetrics.flatMap(({ metrics }) => metrics.flatMap(({ evaluator }) => evaluator?.self_preference ?? []))
  return {
    ...quote,
    execution: { ...execution, evaluators: [...chosen] },
    profiles: withMetrics,
    warnings: [
      ...warnings,
      ...blind.values(),
      ...[...new Set(cautions)].map(caution => ({ code: 'judge_of_same_family', message: `${caution}.` })),
    ],
    compatibility: {
      status: unavailable.length > 0 ? 'incompatible' : compatibility.status,
      checks: [
        ...compatibility.checks,
        ...unavailable.map(judge => ({
          check: 'model_available' as const,
          profile_id: null,
          status: 'fail' as const,
          detail: `The ${users.includes(judge) ? 'simulated user' : 'judge'} ${judge.name} can't be used: ${judge.unavailable}`,
        })),
      ],
    },
    counts: { ...counts, judge_calls: judges.reduce((total, { calls }) => total + calls, 0) },
    cost: {
      ...cost,
      components: [
        ...cost.components,
        ...judges.map(judge => ({
          kind: 'judge_calls' as const,
          quantity: judge.calls,
          unit: 'call',
          rate_microusd: null,
          estimated_microusd: judge.estimated === null ? null : String(judge.estimated),
          basis: `${judge.name}: one call for each question, without repair questions; answers of ${assumedAnswerTokens} tokens assumed.${uncountedFiles(judge.uncounted)}`,
          payer: judge.payer,
          upper_bound_microusd: judge.upperBound === null ? null : String(judge.upperBound),
        })),
        ...users.map(user => ({
          kind: 'user_calls' as const,
          quantity: user.calls,
          unit: 'call',
          rate_microusd: null,
          estimated_microusd: user.estimated === null ? null : String(user.estimated),
          basis: `${user.name}: plays the user, at most one reply after each turn of the model.`,
          payer: user.payer,
          upper_bound_microusd: user.upperBound === null ? null : String(user.upperBound),
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

/** Samples of a profile, and who plays their user and simulated tools. */
interface PlayedSamples extends JudgedSamples {
  /** Absent where no model plays anything. */
  readonly user?: Play
}

interface Play {
  readonly model: UserModel
  /** Its calls for one sample, at most: one for each turn of the model under test and each call of a simulated tool. */
  readonly calls: number
  /** Characters of a simulated tool's prompt beside the arguments; 0 without such tools. */
  readonly toolPrompt: number
}

/** What the model of a world plays of one sample, at most. @param turns of the model under test */
export function playOf({ tools, limits }: Pick<PlayedWorld, 'tools' | 'limits'>, model: UserModel, turns: number): Play {
  const toolCalls = tools.some(isSimulated) ? (limits.calls ?? 0) : 0
  return { model, calls: turns + toolCalls, toolPrompt: longestToolPrompt(tools, toolCalls) }
}

function playedSize(samples: JudgedSamples, { calls, toolPrompt }: Play) {
  const size = judgedSize(samples)
  const longest = Math.max(size.longest, Math.ceil(toolPrompt + samples.answerCharacters))
  return { ...size, longest, outputs: samples.samples * calls }
}

function judgedSize({ samples, answers, promptCharacters, referenceBytes, answerCharacters, files, shown }: JudgedSamples) {
  const characters = promptCharacters + referenceBytes
  return {
    outputs: samples,
    answers,
    // The bound of a sample's prompt is not told apart by sample; the total is that of all, and twice it leaves room for other tokenizers.
    longest: Math.ceil(2 * characters + answerCharacters),
    usual: Math.ceil(characters + assumedAnswerTokens * charactersPerToken),
    files,
    shown,
  }
}

/** Adds up what each judge of one evaluator takes for several profiles. */
function totalByJudge(profiles: readonly (readonly JudgeCost[])[]): JudgeCost[] {
  const plus = (a: bigint | null, b: bigint | null) => (a === null || b === null ? null : a + b)
  const [first = [], ...others] = profiles
  return first.map((judge, i) =>
    others.reduce<JudgeCost>((total, costs) => {
      const more = costs[i] ?? judge
      return {
        ...total,
        calls: total.calls + more.calls,
        estimated: plus(total.estimated, more.estimated),
        upperBound: plus(total.upperBound, more.upperBound),
        uncounted: (total.uncounted ?? 0) + (more.uncounted ?? 0),
      }
    }, judge),
  )
}
