import { invalidField, requireFound } from '../../contract/errors.ts'
import type { NewReleasePolicy, ReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import type { ReleaseRule } from '../../contract/releases/rules.schemas.ts'
import { bodyDigest } from '../http/idempotency.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { requireLatest } from './latest-version.store.ts'
import { policyCautions } from './policy-cautions.ts'
import { findReleasePolicy, insertReleasePolicy } from './policies.store.ts'

export type ReleasePolicies = ReturnType<typeof createReleasePolicies>

export function createReleasePolicies(kernel: Kernel) {
  const { db, clock, ids } = kernel

  const read = (workspaceId: string, id: string): ReleasePolicy =>
    requireFound(findReleasePolicy(db, workspaceId, id), 'release policy version', id)

  return {
    read,
    create: (workspaceId: string, { name, previous_version_id, ...terms }: NewReleasePolicy): ReleasePolicy => {
      for (const [i, rule] of terms.rules.entries()) requireRule(rule, i, terms.rules)
      if (!terms.rules.some(({ required }) => required))
        throw invalidField(['body', 'rules'], 'must have a required rule, or the policy approves everything')
      return db.transaction(() => {
        const previous = previous_version_id === null ? null : requireLatest(db, 'release_policies', read(workspaceId, previous_version_id))
        const id = ids.next()
        const policy: ReleasePolicy = {
          id,
          policy_id: previous?.policy_id ?? id,
          version: (previous?.version ?? 0) + 1,
          previous_version_id: previous?.id ?? null,
          name,
          ...terms,
          digest: bodyDigest(terms),
          cautions: policyCautions(terms),
          created_at: timestamp(clock),
        }
        insertReleasePolicy(db, workspaceId, policy)
        return policy
      })
    },
  }
}

/** Kinds whose pass is a statistical claim, so that several of them can share one error rate. */
const tested: readonly ReleaseRule['kind'][] = ['min_score', 'superiority', 'non_inferiority', 'max_error_rate', 'max_cost', 'max_latency']

function requireRule(rule: ReleaseRule, i: number, rules: readonly ReleaseRule[]): void {
  const at = (field: string) => ['body', 'rules', i, field]
  if (rules.findIndex(({ key }) => key === rule.key) < i)
    throw invalidField(at('key'), `"${rule.key}" is used by two rules; keys must differ`)
  if (rule.any_of !== undefined && (!tested.includes(rule.kind) || rule.basis === 'point'))
    throw invalidField(at('any_of'), `is for rules that test a bound (${tested.join(', ')}), not for ${rule.kind} by ${rule.basis}`)
  if (rule.any_of !== undefined && rules.some(other => other.any_of === rule.any_of && other.required !== rule.required))
    throw invalidField(at('required'), `must be the same for every rule of the set "${rule.any_of}"`)
  if (rule.source === 'external' && !external.includes(rule.kind))
    throw invalidField(at('source'), `must be runs: imported evidence serves ${external.join(', ')}`)
}

/** Kinds that imported evidence has figures for. */
const external: readonly ReleaseRule['kind'][] = ['min_score', 'superiority', 'non_inferiority', 'max_error_rate', 'min_coverage']
