import { invalidField } from '../../contract/errors.ts'
import type { QuoteRequest } from '../../contract/quotes/quotes.schemas.ts'
import { promptDigest } from '../../engine/content/benchmarks/prompt-digest.ts'
import { fieldsIn, type PromptRecipe } from '../../engine/execution/samples/render-prompt.ts'
import type { CatalogProfile } from '../catalog/catalog.types.ts'

type Changes = Pick<QuoteRequest['execution'], 'system_prompt' | 'prompt_template'>

/** How a profile asks with what a request changes of it, and the digest of that. */
export function askedAs(
  { definition, promptRecipe, profile }: Pick<CatalogProfile, 'definition' | 'promptRecipe' | 'profile'>,
  execution: Changes,
): { readonly promptRecipe: PromptRecipe; readonly digest: string } {
  const changed = changesOf(execution)
  return Object.keys(changed).length === 0
    ? { promptRecipe, digest: profile.prompt_digest }
    : { promptRecipe: { ...promptRecipe, ...changed }, digest: promptDigest({ ...definition, ...changed }, promptRecipe.shots) }
}

/** The prompt alone, with what the request changes of it. */
export function changedRecipe(promptRecipe: PromptRecipe, execution: Changes): PromptRecipe {
  return { ...promptRecipe, ...changesOf(execution) }
}

function changesOf({ system_prompt: system, prompt_template: template }: Changes) {
  return {
    ...(system !== undefined && { systemPrompt: system === '' ? null : system }),
    ...(template !== undefined && { promptTemplate: template }),
  }
}

/** @throws ApiError where a profile cannot be asked so */
export function requireAskable(
  profiles: readonly Pick<CatalogProfile, 'definition' | 'profile'>[],
  { system_prompt: system, prompt_template: template }: Changes,
): void {
  const played = profiles.find(({ definition }) => definition.environment)
  if (played && (system !== undefined || template !== undefined))
    throw invalidField(
      ['body', 'execution', system === undefined ? 'prompt_template' : 'system_prompt'],
      `cannot be changed for "${played.profile.id}": it plays an environment, whose rules are its prompt`,
    )
  if (template === undefined) return
  const [only, other] = profiles
  if (!only || other)
    throw invalidField(['body', 'execution', 'prompt_template'], `replaces the template of one profile, and ${profiles.length} are chosen`)
  const names = fieldsIn(only.definition.promptTemplate)
  if (names.length > 0 && !fieldsIn(template).some(name => names.includes(name)))
    throw invalidField(
      ['body', 'execution', 'prompt_template'],
      `shows nothing of the task: put ${names.map(name => `{${name}}`).join(' or ')} where it goes`,
    )
}
