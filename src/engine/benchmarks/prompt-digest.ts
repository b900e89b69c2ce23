import { createHash } from 'node:crypto'
import type { Shot } from '../tasks/task.ts'
import { canonicalJson } from './content-digest.ts'
import type { ProfileDefinition } from './definition.ts'

/** SHA-256 over everything that decides what a model is shown and how it is asked: system prompt, templates, worked examples, generation settings. */
export function promptDigest(profile: ProfileDefinition, shots: readonly Shot[]): string {
  const { systemPrompt, promptTemplate, shotTemplate, generation } = profile
  const shown = { systemPrompt, promptTemplate, shotTemplate, generation, shots: shots.slice(0, profile.shots) }
  return createHash('sha256').update(canonicalJson(shown)).digest('hex')
}
