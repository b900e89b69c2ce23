import type { Metric } from '../../../../contract/index.ts'
import type { BenchmarkDefinition, ProfileDefinition } from '../../definition.ts'
import type { Recipe } from '../recipe.ts'

/** Facts about a public benchmark that is listed so that it can be found, and whose files this version cannot read. */
interface Listed extends Omit<BenchmarkDefinition, 'profiles' | 'name'> {
  readonly files: readonly { readonly role: string; readonly fileName: string; readonly url: string; readonly purpose: string }[]
  readonly promptTemplate: string
  readonly metric: Metric
  readonly chanceLevel: number | null
  readonly unreadable: string
}

export function listed({ files, promptTemplate, metric, chanceLevel, unreadable, ...definition }: Listed): Recipe {
  const profile: ProfileDefinition = {
    key: 'zero-shot',
    title: 'Zero-shot',
    summary: 'The task alone.',
    split: 'test',
    systemPrompt: null,
    promptTemplate,
    shotTemplate: null,
    shots: 0,
    generation: { temperature: 0, max_output_tokens: 1024, stop: [] },
    metrics: [{ ...metric, primary: true }],
    requires: ['chat'],
    chanceLevel,
    breakdowns: [],
  }
  return {
    definition: { ...definition, name: definition.slug, profiles: [profile] },
    files: files.map(file => ({ ...file, required: true, sha256: null, content: null })),
    unreadable,
  }
}

/** The way round for data that only needs another form. */
export const byMapping = (why: string) =>
  `This version cannot read ${why}. Turn it into JSONL or CSV with a column each for input, target and choices, and import that with a column mapping.`
