import type { Benchmark } from '../../contract/catalog/benchmarks.schemas.ts'
import type { Decision } from '../../contract/releases/decisions.schemas.ts'
import type { ReleaseRule } from '../../contract/releases/rules.schemas.ts'
import type { ReleaseSuiteSummary } from '../../contract/releases/suites.schemas.ts'
import { typedDollars } from '../ui/forms/dollars.ts'
import { type EvidenceDraft, noEvidence } from './evidence-choice.tsx'
import { usualRules } from './policy-form.ts'
import { type PolicyTerms, usualTerms } from './policy-terms.tsx'
import { noGroup, noSuite, type SuiteDraft } from './suite-choice.tsx'

type Plan = Decision['plan']

/** Everything that the form of a new decision holds. */
export interface DecisionDraft {
  readonly suite: SuiteDraft
  readonly policyWay: 'new' | 'policy'
  readonly policyId: string | null
  readonly rules: readonly ReleaseRule[]
  readonly confidence: number
  readonly terms: PolicyTerms
  /** Values of a model choice. */
  readonly candidate: string | null
  readonly baseline: string | null
  readonly evidence: EvidenceDraft
  /** As typed. */
  readonly cap: string
  /** Null: the suggested one. */
  readonly name: string | null
}

export const emptyDraft: DecisionDraft = {
  suite: noSuite,
  policyWay: 'new',
  policyId: null,
  rules: usualRules(),
  confidence: 0.95,
  terms: usualTerms,
  candidate: null,
  baseline: null,
  evidence: noEvidence,
  cap: '0',
  name: null,
}

/**
 * A decision planned again: the same models and policy, and as many tasks as would decide it.
 * @param tasks null: the same tasks
 */
export function draftAgain(
  { plan, name }: Decision,
  suite: ReleaseSuiteSummary | undefined,
  benchmarks: readonly Benchmark[],
  tasks: number | null,
): DecisionDraft {
  const [only, ...others] = suite?.groups ?? []
  const [profile] = plan.profiles
  const benchmark = benchmarks.find(one => one.latest_version?.source_ref === profile?.source_ref)
  const isOne = only !== undefined && others.length === 0 && plan.profiles.length === 1 && benchmark !== undefined
  const grown: SuiteDraft = {
    way: 'benchmark',
    suiteId: null,
    groups: [
      { ...noGroup, slug: benchmark?.slug ?? null, profileId: profile?.profile_id ?? null, tasks, critical: only?.critical ?? false },
    ],
  }
  return {
    ...emptyDraft,
    suite: tasks !== null && isOne ? grown : { ...noSuite, way: 'suite', suiteId: plan.suite.id },
    policyWay: 'policy',
    policyId: plan.policy.id,
    candidate: choiceOf(plan.models.candidate, plan.candidate),
    baseline: choiceOf(plan.models.baseline, plan.baseline),
    cap: typedDollars(plan.max_charge_microusd),
    name: tasks === null ? name : `${name.slice(0, 180)}, ${tasks} tasks`,
  }
}

/** The model that a side ran, or that its finished run asked; null where neither can be called. */
function choiceOf(chosen: Plan['models']['candidate'], side: Plan['baseline']): string | null {
  const {
    kind,
    route_id: route,
    connection_id: connection,
  } = chosen ? { route_id: null, connection_id: null, ...chosen } : (side?.model ?? { kind: null, route_id: null, connection_id: null })
  if (kind === 'managed') return route === null ? null : `managed:${route}`
  return kind === 'connection' && connection !== null ? `connection:${connection}` : null
}
