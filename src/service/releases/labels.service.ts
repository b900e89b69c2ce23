import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import { illegalTransition } from '../../contract/machine.ts'
import type { NewReleaseLabel, ReleaseLabel } from '../../contract/releases/labels.schemas.ts'
import type { Principal } from '../auth/index.ts'
import type { Datasets } from '../datasets/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { makerOf } from '../keys/index.ts'
import type { Runs } from '../runs/index.ts'
import { personOf } from '../workspace/index.ts'
import type { ReleasePolicies } from './policies.service.ts'
import { type DecisionRow, findDecision } from './decisions.store.ts'
import { insertLabel } from './labels.store.ts'
import { labelsOfSample, type SampleLabelsQuery } from './list-labels.store.ts'

export interface LabelsDependencies {
  readonly runs: Pick<Runs, 'sample'>
  readonly datasets: Pick<Datasets, 'examples'>
  readonly policies: ReleasePolicies
}

export type ReleaseLabels = ReturnType<typeof createReleaseLabels>

const leastReason = 20

export function createReleaseLabels(kernel: Kernel, { runs, datasets, policies }: LabelsDependencies) {
  const { db, clock, ids } = kernel

  const requireVerdict = (verdict: NewReleaseLabel['verdict'], allowed: readonly NewReleaseLabel['verdict'][]) => {
    if (!allowed.includes(verdict))
      throw invalidField(['body', 'verdict'], `must be one of ${allowed.join(', ')} for this target, not "${verdict}"`)
  }
  /** Whoever made a key is the author of what it makes. */
  const requireOther = ({ by }: DecisionRow, personId: string): void => {
    const author = by.kind === 'person' ? by.id : makerOf(db, by.id)
    if (author === null)
      throw new ApiError(
        'conflict',
        `The policy requires a person other than the author, and it is not known who made the key "${by.name}". Create the decision again with a new key, or as a person.`,
      )
    if (author === personId)
      throw new ApiError(
        'conflict',
        by.kind === 'person'
          ? 'The policy requires a person other than the author of the decision. Ask a colleague to decide.'
          : `The policy requires a person other than the author, and you made the key "${by.name}" that created the decision. Ask a colleague to decide.`,
      )
  }
  /** @returns whether the verdict goes against the recommendation */
  const requireDecidable = (decision: DecisionRow, personId: string, label: NewReleaseLabel): boolean => {
    if (decision.status !== 'awaiting_human') throw illegalTransition('decision', decision.id, decision.status, 'label')
    const { human } = policies.read(decision.workspaceId, decision.plan.policy.id)
    if (human.not_author) requireOther(decision, personId)
    const recommendation = decision.outcome?.recommendation ?? 'inconclusive'
    if (label.verdict === recommendation) return false
    const allowed = human.override === 'any' || (human.override === 'inconclusive' && recommendation === 'inconclusive')
    if (!allowed)
      throw new ApiError(
        'conflict',
        `The recommendation is ${recommendation}, and the policy allows no other verdict (override: ${human.override}). Cancel the decision, or create one under another policy.`,
      )
    if (!label.override || label.rationale.length < leastReason)
      throw new ApiError(
        'conflict',
        `The recommendation is ${recommendation}. To decide otherwise, send override: true and a rationale of at least ${leastReason} characters.`,
      )
    return true
  }

  return {
    listOfSample: (workspaceId: string, query: SampleLabelsQuery) => {
      const { id: sample_id } = runs.sample(workspaceId, query.run_id, query.sample_id)
      return labelsOfSample(db, workspaceId, { ...query, sample_id })
    },
    create: (principal: Principal, workspaceId: string, body: NewReleaseLabel): ReleaseLabel => {
      const person = personOf(principal)
      const { verdict } = body
      const stored = (target: ReleaseLabel['target'], override: boolean): ReleaseLabel => {
        const label: ReleaseLabel = {
          id: ids.next(),
          target,
          verdict,
          rationale: body.rationale,
          override,
          by: { id: person.personId, name: person.name },
          created_at: timestamp(clock),
        }
        insertLabel(db, workspaceId, label)
        return label
      }
      return db.transaction(() => {
        const { target } = body
        if ('decision_id' in target) {
          requireVerdict(verdict, ['approve', 'reject', 'inconclusive'])
          const decision = requireFound(findDecision(db, workspaceId, target.decision_id), 'decision', target.decision_id)
          return stored(target, requireDecidable(decision, person.personId, body))
        }
        requireVerdict(verdict, ['pass', 'fail', 'unsure'])
        if ('run_id' in target) {
          const { run_id, id: sample_id } = runs.sample(workspaceId, target.run_id, target.sample_id)
          return stored({ run_id, sample_id }, false)
        }
        datasets.examples.read(workspaceId, target.dataset_id, target.example_id, target.revision)
        return stored(target, false)
      })
    },
  }
}
