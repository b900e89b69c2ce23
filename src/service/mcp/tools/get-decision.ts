import { z } from 'zod'
import { Uuid } from '../../../contract/primitives.ts'
import { rounded } from '../figures.ts'
import { defineTool } from '../tool.ts'
import { untrusted } from '../untrusted.ts'

export const getDecision = defineTool({
  name: 'get_decision',
  title: 'Read a release decision',
  description: 'Status, rules with bound and n, and what is missing. Only people approve a release.',
  effect: 'read',
  calls: ['getReleaseDecision'],
  input: z.strictObject({ decision_id: Uuid }),
  page: ({ decision_id: id }) => `/releases/${id}`,
  run: async ({ decision_id: id }, { call, pageUrl }) => {
    const decision = await call('getReleaseDecision', { params: { decision_id: id } })
    const {
      name,
      status,
      candidate,
      baseline,
      attempt,
      look,
      looks,
      recommendation,
      rules,
      missing,
      cautions,
      plan_digest: plan,
    } = decision
    return {
      decision_id: id,
      status,
      attempt,
      look,
      looks,
      recommendation,
      rules: rules?.map(rule => ({
        key: rule.key,
        required: rule.required,
        verdict: rule.verdict,
        n: rule.n,
        estimate: rounded(rule.estimate),
        bound: rounded(rule.bound),
        threshold: rounded(rule.threshold),
      })),
      missing: missing.map(({ code }) => code),
      plan_digest: plan,
      ...untrusted({ name, candidate, baseline, missing: missing.map(({ code, message }) => ({ code, message })), cautions }),
      page: pageUrl(`/releases/${id}`),
    }
  },
})
