import { createHash } from 'node:crypto'
import type { By } from '../../contract/datasets/examples.schemas.ts'
import { invalidField } from '../../contract/errors.ts'
import type { ExecutionSettings, ModelSnapshot } from '../../contract/quotes/quotes.schemas.ts'
import type { NewDecision, NewReleaseSide, ReleasePlan } from '../../contract/releases/decisions.schemas.ts'
import type { ReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import type { ReleaseRule } from '../../contract/releases/rules.schemas.ts'
import type { ReleaseSuite } from '../../contract/releases/suites.schemas.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { modelIdentity } from '../../lib/model-identity.ts'
import type { Catalog } from '../catalog/index.ts'
import type { Connections } from '../connections/index.ts'
import type { Evaluations } from '../evaluations/index.ts'
import { findModel } from '../quotes/index.ts'
import type { Runs } from '../runs/index.ts'
import type { DecisionSources } from './ports.ts'

export interface PlanDependencies {
  readonly catalog: Catalog
  readonly connections: Connections
  readonly evaluations: Evaluations
  readonly runs: Runs
  readonly sources: () => DecisionSources
}

/** An adopted evaluation and when it was created. */
export interface Adopted {
  readonly side: 'candidate' | 'baseline'
  readonly group: string
  readonly evaluationId: string
  readonly createdAt: string
}

type Side = ReleasePlan['candidate']
type SideName = 'candidate' | 'baseline'

const pairedKinds: readonly ReleaseRule['kind'][] = ['superiority', 'non_inferiority', 'no_critical_regression']
/** Orders the stages of every decision alike, so that no seed can be picked. */
const stageSeed = 20261108

export function isPaired(rule: ReleaseRule): boolean {
  return pairedKinds.includes(rule.kind)
}

function needsRuns({ rules }: ReleasePolicy): boolean {
  return rules.some(({ kind, source }) => source === 'runs' && kind !== 'open_issues')
}

/** Freezes a decision: subjects, prompts and policy. @throws ApiError naming what does not fit */
export async function planDecision(
  { catalog, connections, evaluations, runs, sources }: PlanDependencies,
  workspaceId: string,
  request: NewDecision,
  author: By,
  suite: ReleaseSuite,
  policy: ReleasePolicy,
): Promise<{ readonly plan: ReleasePlan; readonly adopted: readonly Adopted[] }> {
  const body = withEvaluations(evaluations, workspaceId, request)
  requireFit(body, suite, policy)
  const adopted = (['candidate', 'baseline'] as const).flatMap(name => adoptedOf(evaluations, workspaceId, name, body[name], suite))
  const ownSamples = (group: string): number | null => {
    const found = adopted.find(evaluation => evaluation.side === 'candidate' && evaluation.group === group)
    return found ? evaluations.read(workspaceId, found.evaluationId).progress.frozen : null
  }
  requireEnoughSamples(body, suite, policy, ownSamples)
  const twice = adopted.find(({ side, evaluationId }) => adopted.some(other => other.side !== side && other.evaluationId === evaluationId))
  if (twice)
    throw invalidField(
      ['body', 'baseline', 'evaluation_ids', twice.group],
      'is the evaluation of the candidate too; answers compared with themselves never differ',
      'same_evaluation',
    )
  const profiles: ReleasePlan['profiles'] = []
  for (const group of suite.groups) {
    const named = group.profile_id === null ? [] : [group.profile_id]
    for (const { chained, ...profile } of await evaluations.plan(workspaceId, group.task_selections, named)) {
      if (chained && policy.looks > 1)
        throw invalidField(
          ['body', 'policy_id'],
          `plans ${policy.looks} looks, but tasks of "${group.key}" depend on each other; use one look`,
        )
      profiles.push({ group: group.key, ...profile })
    }
  }
  const side = (name: SideName): Side | null => {
    const asked = body[name]
    if (!asked) return null
    const ids = adopted.filter(evaluation => evaluation.side === name)
    return {
      label: asked.label,
      model: modelOf(name, asked, ids),
      evaluation_ids: Object.fromEntries(ids.map(({ group, evaluationId }) => [group, evaluationId])),
      artifact: asked.artifact ?? null,
    }
  }
  const modelOf = (name: SideName, asked: NewReleaseSide, ids: readonly Adopted[]): ModelSnapshot | null => {
    if (asked.model) {
      const found = findModel(asked.model, workspaceId, catalog, connections)
      if (!found) throw invalidField(['body', name, 'model'], 'names no model route or connection of this workspace')
      return found.snapshot
    }
    const [first] = ids
    return first ? runs.read(workspaceId, evaluations.runOf(workspaceId, first.evaluationId) ?? '').model : null
  }
  const candidate = side('candidate')
  if (!candidate) throw invalidField(['body', 'candidate'], 'is required', 'missing')
  const source = sources()
  const baseline = side('baseline')
  const plan: ReleasePlan = {
    suite: { id: suite.id, suite_id: suite.suite_id, version: suite.version, name: suite.name, digest: suite.digest },
    policy: { id: policy.id, policy_id: policy.policy_id, version: policy.version, name: policy.name, digest: policy.digest },
    candidate,
    baseline,
    models: { candidate: body.candidate.model ?? null, baseline: body.baseline?.model ?? null },
    profiles,
    execution: body.execution,
    max_charge_microusd: body.max_charge_microusd,
    alpha: Number((1 - policy.confidence).toFixed(12)),
    looks: policy.looks,
    seed: stageSeed,
    evidence: source.planEvidence(workspaceId, body.evidence, { candidate, baseline }, author),
    calibrations: source.planCalibrations(workspaceId, body.calibration_ids),
  }
  return { plan, adopted }
}

/** Finished runs as the evaluations that they are. */
function withEvaluations(evaluations: Evaluations, workspaceId: string, { candidate, baseline, ...body }: NewDecision): NewDecision {
  const adopt = (name: SideName, { run_ids: runs, ...side }: NewReleaseSide): NewReleaseSide => {
    if (runs === undefined) return side
    if (side.evaluation_ids) throw invalidField(['body', name], 'has evaluation_ids and run_ids; send one of them', 'mixed_side')
    const adopted = Object.entries(runs).map(([group, runId]) => {
      const id = evaluations.ofFinishedRun(workspaceId, runId)
      if (id === null) throw invalidField(['body', name, 'run_ids', group], 'must be a finished run of one profile, with results')
      return [group, id] as const
    })
    return { ...side, evaluation_ids: Object.fromEntries(adopted) }
  }
  return { ...body, candidate: adopt('candidate', candidate), ...(baseline && { baseline: adopt('baseline', baseline) }) }
}

export function planDigest(plan: ReleasePlan): string {
  return sha256(canonicalJson(plan))
}

/** What makes two decisions attempts at one question: models, artifacts, prompts, and the lineage of suite and policy. */
export function lineageOf(workspaceId: string, { candidate, baseline, profiles, suite, policy, execution }: ReleasePlan): string {
  const side = (of: Side | null) =>
    of && { model: of.model && modelIdentity(of.model), route: of.model?.route_id ?? null, artifact: of.artifact?.sha256 ?? null }
  // Another seed asks the same question again, and so is an attempt at it.
  const { temperature, effort, max_output_tokens, top_p: topP = null }: ExecutionSettings = execution
  const prompts = profiles.map(profile => profile.prompt_digest).sort()
  const asked = { prompts, temperature, effort, max_output_tokens, ...(topP === null ? {} : { top_p: topP }) }
  const lineage = { candidate: side(candidate), baseline: side(baseline), asked, suite: suite.suite_id, policy: policy.policy_id }
  return sha256(canonicalJson({ workspaceId, ...lineage }))
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function requireFit({ candidate, baseline }: NewDecision, { groups }: ReleaseSuite, policy: ReleasePolicy): void {
  for (const { key, group } of policy.rules) {
    if (group !== null && !groups.some(other => other.key === group))
      throw invalidField(['body', 'policy_id'], `has the rule "${key}" on the group "${group}", which the suite does not have`)
  }
  const paired = policy.rules.find(rule => isPaired(rule) && rule.source === 'runs')
  if (paired && !baseline)
    throw invalidField(['body', 'baseline'], `is required by the rule "${paired.key}", which compares with it`, 'missing')
  for (const [name, side] of [
    ['candidate', candidate],
    ['baseline', baseline],
  ] as const) {
    if (!side) continue
    if (side.model && side.evaluation_ids)
      throw invalidField(['body', name], 'has a model and evaluation_ids; send one of them', 'mixed_side')
    if (!side.model && !side.evaluation_ids && needsRuns(policy))
      throw invalidField(
        ['body', name, 'model'],
        'is required, unless evaluation_ids is given: a rule of the policy needs answers',
        'missing',
      )
  }
}

/**
 * More labels than there are samples would be collected without end.
 * @param adopted samples of the candidate's adopted evaluation of a group; null where the decision makes its own
 */
function requireEnoughSamples(
  { execution }: NewDecision,
  { groups }: ReleaseSuite,
  { rules }: ReleasePolicy,
  adopted: (group: string) => number | null,
): void {
  for (const rule of rules) {
    if (rule.kind !== 'min_labels') continue
    const samples = groups
      .filter(({ key }) => rule.group === null || key === rule.group)
      .reduce((sum, { key, tasks }) => sum + (adopted(key) ?? tasks * execution.epochs), 0)
    if (rule.min_n > samples)
      throw invalidField(
        ['body', 'policy_id'],
        `has the rule "${rule.key}", which needs ${rule.min_n} labels, and the candidate has only ${samples} samples; lower min_n or use a larger suite`,
        'too_few_samples',
      )
  }
}

/** Adopted evaluations are of exactly the group's tasks. */
function adoptedOf(
  evaluations: Evaluations,
  workspaceId: string,
  side: SideName,
  asked: NewReleaseSide | undefined,
  { groups }: ReleaseSuite,
): Adopted[] {
  const ids = asked?.evaluation_ids
  if (!ids) return []
  const at = (key: string) => ['body', side, 'evaluation_ids', key]
  for (const key of Object.keys(ids)) if (!groups.some(group => group.key === key)) throw invalidField(at(key), 'is no group of the suite')
  return groups.map(({ key, task_selections: wanted }) => {
    const id = ids[key]
    if (id === undefined) throw invalidField(at(key), 'is required: every group needs an evaluation', 'missing')
    const evaluation = evaluations.read(workspaceId, id)
    if (fingerprint(evaluation.task_selections) !== fingerprint(wanted))
      throw invalidField(at(key), `"${evaluation.name}" is an evaluation of other tasks than those of the group "${key}"`, 'other_tasks')
    return { side, group: key, evaluationId: evaluation.id, createdAt: evaluation.created_at }
  })
}

/** The same for the same tasks in any order. */
function fingerprint(selections: ReleaseSuite['groups'][number]['task_selections']): string {
  const lines = selections.map(({ source_ref, split, version_digest, task_ids }) =>
    sha256([source_ref, split, version_digest, ...[...task_ids].sort()].join('\n')),
  )
  return lines.sort().join(' ')
}
