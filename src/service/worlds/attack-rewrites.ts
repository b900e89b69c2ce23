import { ApiError } from '../../contract/errors.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { type AttackRewrites, mostGoals, type RewriteAttacks } from '../../contract/worlds/attacks.schemas.ts'
import { readRewrite, rewritePrompt } from './rewrite-prompt.ts'
import { type Evaluators, holdUnder } from '../evaluators/index.ts'
import type { Kernel } from '../kernel.ts'

/** Has a model write attacks, within a limit that is set aside before and given back after. */
export function createAttackRewrites({ db, ids }: Pick<Kernel, 'db' | 'ids'>, writers: Evaluators['writers']) {
  writers.endAbandoned()
  return async (
    workspaceId: string,
    by: JobOwner,
    { model, count, max_charge_microusd: most }: RewriteAttacks,
    signal: AbortSignal,
  ): Promise<AttackRewrites> => {
    const cap = most === undefined ? null : BigInt(most)
    const facts = writers.facts(workspaceId, model, ['body', 'model'])
    if (facts.unavailable !== null) throw new ApiError('conflict', `The model can't be used: ${facts.unavailable}`)
    const hold = holdUnder([facts], cap)
    const owner = { kind: 'draft', id: ids.next(), workspaceId, principalId: by.kind === 'service' ? '' : by.id } as const
    db.transaction(() => writers.begin(owner, hold))
    try {
      const rewrites: string[] = []
      for (let place = 0; place < count; place++) {
        const reply = await writers.ask({ owner, wallet: hold.wallet, provider: cap, signal }, `rewrite ${place + 1}`, model, () =>
          rewritePrompt(place),
        )
        const text = readRewrite(reply)
        if (text === null)
          throw new ApiError(
            'provider_error',
            `${facts.name} wrote an attack without "{goal}", or with more than ${mostGoals}. Try again, or choose another model.`,
          )
        rewrites.push(text)
      }
      const { charged, billed } = writers.spent(owner)
      return { rewrites, charged_microusd: String(charged), provider_billed_microusd: String(billed) }
    } finally {
      db.transaction(() => writers.end(owner))
    }
  }
}
