import type { z } from 'zod'
import { credentialsFault, hasNoCredentials } from '../primitives.ts'
import type { PolicyRule } from './policies.schemas.ts'

interface KeptWorld {
  readonly policies?: readonly PolicyRule[]
  readonly tasks: readonly unknown[]
  readonly tools: readonly { readonly behavior: { readonly kind: string; readonly server?: ServerOf } }[]
}

type ServerOf = { readonly url: string } | { readonly command: readonly string[] }

/** Characters of the rules as JSON, times the tasks: each task keeps the rules of its world, and long ones would fill the disk. */
const mostKept = 16 * 1024 * 1024

/** Refuses a new world that is not to be kept. Worlds that were kept before stay readable. */
export function keepable({ policies = [], tasks, tools }: KeptWorld, context: z.RefinementCtx): void {
  const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
  const kept = policies.length === 0 ? 0 : JSON.stringify(policies).length * tasks.length
  const [mb, mostMb] = [kept, mostKept].map(size => Math.ceil(size / 1024 / 1024))
  if (kept > mostKept)
    refuse(
      ['policies'],
      `are kept with each of ${tasks.length} tasks, which makes ${mb} MB; at most ${mostMb} MB are possible. Shorten them, or divide the tasks over several environments`,
    )
  for (const [i, { behavior }] of tools.entries())
    if (behavior.server && 'url' in behavior.server && !hasNoCredentials(behavior.server.url))
      refuse(['tools', i, 'behavior', 'server', 'url'], credentialsFault)
}
