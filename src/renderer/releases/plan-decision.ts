import { useMutation } from '@tanstack/react-query'
import type { Decision } from '../../contract/releases/decisions.schemas.ts'
import type { ReleaseRule } from '../../contract/releases/rules.schemas.ts'
import { call } from '../api/client.ts'
import { everyPage } from '../api/pages.ts'
import { everyTask } from '../suites/suites.queries.ts'
import { type EvidenceDraft, evidenceOf } from './evidence-choice.tsx'
import { type NewSuite, useCreateDecision, useCreatePolicy, useCreateReleaseSuite } from './releases.queries.ts'
import type { PolicyTerms } from './policy-terms.tsx'
import { runOfSide } from './side-runs.ts'
import { groupKey, type SuiteDraft } from './suite-choice.tsx'
import { modelOf } from '../quotes/model-value.ts'

interface Side {
  readonly label: string
  /** Value of a model choice, `managed:<route id>` or `connection:<connection id>`, or `run:<run id>`. */
  readonly model: string
}

interface DecisionForm {
  readonly name: string
  readonly suite: SuiteDraft
  readonly policy: string | null | { readonly rules: readonly ReleaseRule[]; readonly confidence: number; readonly terms: PolicyTerms }
  readonly candidate: Side
  readonly baseline: Side | null
  readonly cap: string
  readonly evidence: EvidenceDraft
}

/** Makes the suite and the policy where they are new, then the decision. The same form sent again makes each once. */
export function usePlanDecision() {
  const suites = useCreateReleaseSuite()
  const policies = useCreatePolicy()
  const decisions = useCreateDecision()
  return useMutation({
    mutationFn: async ({ name, suite, policy, candidate, baseline, cap, evidence }: DecisionForm): Promise<Decision> => {
      const runId = runOfSide(candidate.model) ?? runOfSide(baseline?.model ?? null)
      const asked = suite.way === 'suite' ? null : suite.way === 'run' ? suiteOfRun(runId ?? '', name) : await suiteOf(suite)
      const made = asked === null ? null : await suites.mutateAsync(asked)
      const suiteId = made?.id ?? suite.suiteId
      const groups = made?.groups.map(({ key }) => key) ?? (await groupsOf(suiteId ?? ''))
      const policyId =
        policy === null || typeof policy === 'string'
          ? policy
          : (
              await policies.mutateAsync({
                name: `Policy of ${name}`.slice(0, 200),
                rules: [...policy.rules],
                confidence: policy.confidence,
                ...policy.terms,
              })
            ).id
      return decisions.mutateAsync({
        name,
        candidate: { label: candidate.label, ...answersOf(candidate.model, groups) },
        ...(baseline === null ? {} : { baseline: { label: baseline.label, ...answersOf(baseline.model, groups) } }),
        suite_version_id: suiteId ?? '',
        policy_id: policyId ?? '',
        max_charge_microusd: cap,
        ...evidenceOf(evidence),
      })
    },
  })
}

/** A run that has finished answers the only group of its suite. */
function answersOf(value: string, groups: readonly string[]) {
  const runId = runOfSide(value)
  return runId === null ? { model: modelOf(value) } : { run_ids: Object.fromEntries(groups.map(group => [group, runId])) }
}

/** The tasks that a run froze, by the profile that it ran. */
function suiteOfRun(run_id: string, name: string): NewSuite {
  return { name: `Tasks of ${name}`.slice(0, 200), groups: [{ key: 'all', title: 'All tasks', weight: 1, selection: { run_id } }] }
}

async function groupsOf(suiteId: string): Promise<string[]> {
  const all = await everyPage(cursor => call('listReleaseAssets', { query: { kind: 'suite', cursor, limit: 100 } }))
  return all.flatMap(asset => (asset.kind === 'suite' && asset.id === suiteId ? asset.groups.map(({ key }) => key) : []))
}

/** A group for each benchmark, with the first tasks of its test split. */
async function suiteOf(draft: SuiteDraft): Promise<NewSuite> {
  const groups = await Promise.all(
    draft.groups.map(async ({ slug, profileId, tasks, weight, critical }, i) => {
      const benchmark = await call('getBenchmark', { params: { slug: slug ?? '' } })
      const sourceRef = benchmark.versions[0]?.source_ref ?? ''
      const found = (await everyTask(sourceRef, '')).filter(task => task.split === 'test')
      const task_ids = (tasks === null ? found : found.slice(0, tasks)).map(task => task.task_id)
      return {
        key: groupKey(draft, i),
        title: benchmark.title,
        weight,
        critical,
        profile_id: profileId,
        selection: { task_selections: [{ source_ref: sourceRef, split: 'test' as const, task_ids }] },
      }
    }),
  )
  return {
    name: groups
      .map(({ title }) => title)
      .join(', ')
      .slice(0, 200),
    groups,
  }
}
