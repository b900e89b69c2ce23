import type { Generation } from '../../contract/catalog/benchmarks.schemas.ts'
import type { ExecutionSettings } from '../../contract/quotes/quotes.schemas.ts'
import type { PromptRecipe } from '../../engine/execution/samples/render-prompt.ts'
import type { CatalogProfile } from '../catalog/catalog.types.ts'

interface Asked {
  readonly promptRecipe: PromptRecipe
  readonly generation: Generation
  readonly execution: Pick<ExecutionSettings, 'effort' | 'top_p' | 'model_seed'>
}

/** What a run sets otherwise than its profile, in words; what is set to the profile's own value changes nothing. */
export function changedSettings(
  { definition, promptRecipe: own }: Pick<CatalogProfile, 'definition' | 'promptRecipe'>,
  { promptRecipe, generation, execution: { effort, top_p: topP = null, model_seed: seed = null } }: Asked,
): string[] {
  const { temperature, max_output_tokens: most, stop } = definition.generation
  return [
    ...(promptRecipe.systemPrompt === own.systemPrompt ? [] : ['system prompt']),
    ...(promptRecipe.promptTemplate === own.promptTemplate ? [] : ['prompt template']),
    ...(generation.temperature === temperature
      ? []
      : [generation.temperature === null ? 'no temperature' : `temperature ${generation.temperature}`]),
    ...(topP === null ? [] : [`top p ${topP}`]),
    ...(seed === null ? [] : [`model seed ${seed}`]),
    ...(generation.max_output_tokens === most ? [] : [`max output tokens ${generation.max_output_tokens}`]),
    ...(JSON.stringify(generation.stop) === JSON.stringify(stop) ? [] : ['stop sequences']),
    ...(effort === null ? [] : [`reasoning effort ${effort}`]),
  ]
}
