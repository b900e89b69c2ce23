import { createHash } from 'node:crypto'
import type { Shot } from '../../tasks/task.ts'
import { canonicalJson } from './content-digest.ts'
import type { ProfileDefinition } from '../../tasks/definition.ts'

/** SHA-256 over everything that decides what a model is shown and how it is asked: system prompt, templates, worked examples, generation settings. */
export function promptDigest(profile: ProfileDefinition, shots: readonly Shot[]): string {
  const { systemPrompt, promptTemplate, shotTemplate, generation } = profile
  const { introTemplate, shotsAs, shotsBy, environment } = profile
  const shown = {
    systemPrompt,
    ...(introTemplate !== undefined && { introTemplate }),
    promptTemplate,
    shotTemplate,
    generation,
    ...(shotsAs !== undefined && { shotsAs }),
    ...(shotsBy !== undefined && { shotsBy }),
    ...(environment?.world && { world: environment.world }),
    shots: shotsOf(profile, shots),
  }
  return createHash('sha256').update(canonicalJson(shown)).digest('hex')
}

/** The examples of a version that a profile shows: its first ones, or the first ones of each group. */
export function shotsOf({ shots: wanted, shotsBy }: Pick<ProfileDefinition, 'shots' | 'shotsBy'>, shots: readonly Shot[]): readonly Shot[] {
  if (shotsBy === undefined) return shots.slice(0, wanted)
  const taken = new Map<string, number>()
  return shots.filter(({ group = '' }) => {
    const before = taken.get(group) ?? 0
    taken.set(group, before + 1)
    return before < wanted
  })
}
