import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { ProfileDefinition } from '../../tasks/definition.ts'

/** Asking for a program and running it in the sandbox: what the bundled benchmarks of that kind share. */
export function codeProfile(promptTemplate: string, metrics: readonly Metric[], breakdowns: readonly string[]): ProfileDefinition {
  return {
    key: 'zero-shot',
    title: 'Zero-shot',
    summary: 'The task alone. What the model writes is run in the sandbox.',
    split: 'test',
    systemPrompt: null,
    promptTemplate,
    shotTemplate: null,
    shots: 0,
    generation: { temperature: 0, max_output_tokens: 1536, stop: [] },
    metrics,
    requires: ['chat'],
    chanceLevel: 0,
    breakdowns,
  }
}
