import { countPromptTokens } from '../engine/tokens/count-tokens.ts'
import type { Message } from '../engine/model-clients/model-client.ts'

export interface MeasureTask {
  readonly prompts: readonly (readonly Message[])[]
}

/** Tokens of each prompt. */
export default function measure({ prompts }: MeasureTask): number[] {
  return prompts.map(prompt => countPromptTokens(prompt))
}
