import type { BenchmarkDefinition } from '../../../tasks/definition.ts'
import { binaryMetric } from '../../../tasks/metric.ts'
import { ownBenchmark } from '../../../content/benchmarks/own-benchmark.ts'
import type { PromptfooPrompt } from './promptfoo-prompts.ts'
import type { ProviderSettings } from './promptfoo-providers.ts'

const passTitles = {
  all: 'Passed',
  judged: 'Passed without judged assertions',
  left_out: 'Passed, by the assertions that are graded here',
} as const

interface Grading {
  /** Which assertions of the tests are not part of the metrics. */
  readonly without: 'judged' | 'left_out' | null
  /** Of the scripts in tests; null where they have none. */
  readonly language?: 'javascript' | 'python' | null
  readonly asked?: ProviderSettings
}

/** Tests of promptfoo: each prompt a profile, graded by each test's own assertions. */
export function promptfooBenchmark(
  title: string,
  slug: string,
  prompts: readonly PromptfooPrompt[],
  { without, language = null, asked }: Grading,
): BenchmarkDefinition {
  const scorer = language === null ? 'promptfoo/test' : 'promptfoo/test_with_scripts'
  const options = language === 'python' ? { language } : {}
  const { systemPrompt = null, temperature = null, maxOutputTokens = null } = asked ?? {}
  const own = ownBenchmark(title, slug, false)
  const [profile] = own.profiles
  if (!profile) return own
  return {
    ...own,
    summary: 'Tests of promptfoo, imported from a file of this workspace.',
    description: `Tests of promptfoo that were imported under the name "${title}". A test passes when all its assertions do, or when its score reaches its threshold.${without === 'judged' ? ' Assertions that need a judge are not part of that: choose an evaluator for runs, which compares with the rubric of each test.' : ''}`,
    profiles: prompts.map(({ label }, i) => ({
      ...profile,
      key: prompts.length === 1 ? 'zero-shot' : `prompt-${i + 1}`,
      title: prompts.length === 1 ? 'Zero-shot' : `Prompt ${i + 1}`,
      summary: prompts.length === 1 ? 'The prompt, unchanged.' : `The prompt "${label.replaceAll(/\s+/g, ' ')}".`,
      promptTemplate: `{prompt_${i + 1}}`,
      systemPrompt,
      generation: {
        ...profile.generation,
        ...(temperature !== null && { temperature }),
        ...(maxOutputTokens !== null && { max_output_tokens: maxOutputTokens }),
      },
      metrics: [
        binaryMetric('pass', passTitles[without ?? 'all'], scorer, { primary: true, options }),
        {
          id: 'score',
          title: 'Mean score of the assertions',
          scorer,
          scorer_version: 1,
          options: { metric: 'score', ...options },
          binary: false,
          primary: false,
        },
      ],
    })),
  }
}
