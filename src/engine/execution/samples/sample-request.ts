import type { Effort } from '../../../contract/catalog/models.schemas.ts'
import type { ModelRequest } from '../../clients/model-client.ts'
import type { ProfileDefinition } from '../../tasks/definition.ts'
import type { Task } from '../../tasks/task.ts'
import { choiceLabel } from '../../grading/scorers/inspect-ai/multiple-choice.ts'
import type { ProfilePlan } from '../scheduler/ports.ts'
import { renderPrompt } from './render-prompt.ts'
import { turnsOf } from './turns-of.ts'

/** The part of a profile that decides which calls a sample makes. */
export type SampleSettings = Pick<ProfilePlan, 'promptRecipe' | 'generation' | 'environment' | 'byLoglikelihood'>

/** How the samples of a profile are executed, where that is more than one question. */
export function callSettings(
  definition: Pick<ProfileDefinition, 'environment' | 'loglikelihood'> | undefined,
): Pick<SampleSettings, 'environment' | 'byLoglikelihood'> {
  const { environment = null, loglikelihood } = definition ?? {}
  if (!loglikelihood) return { environment, byLoglikelihood: null }
  const { letters, delimiter = ' ', unconditional: isUnconditional = false } = loglikelihood
  return { environment, byLoglikelihood: { of: letters ? 'letters' : 'choices', delimiter, isUnconditional } }
}

/** The model request of a sample; the first turn's request where a task takes several. */
export function requestFor({ promptRecipe, generation }: SampleSettings, task: Task, effort: Effort | null): ModelRequest {
  const { temperature, max_output_tokens, stop, reasoning, response_format: responseFormat, max_image_pixels: maxImagePixels } = generation
  const messages = turnsOf(renderPrompt(promptRecipe, task))
  return {
    messages,
    ...(messages.some(({ role }) => role === 'assistant') && { given: messages.length }),
    temperature,
    maxOutputTokens: max_output_tokens,
    stop,
    ...(reasoning === 'as_text' && { reasoning }),
    ...(effort && { effort }),
    ...(responseFormat && { responseFormat }),
    ...(maxImagePixels !== undefined && { maxImagePixels }),
  }
}

/** What is measured as a continuation of the prompt, with what sets it off; null where an answer is generated. */
export function measuredTexts({ byLoglikelihood }: Pick<SampleSettings, 'byLoglikelihood'>, { choices }: Task): readonly string[] | null {
  if (byLoglikelihood === null) return null
  const { of, delimiter } = byLoglikelihood
  return (choices ?? []).map((choice, i) => delimiter + (of === 'choices' ? choice : choiceLabel(i)))
}
