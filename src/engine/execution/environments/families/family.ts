import type { BenchmarkDefinition, ProfileDefinition } from '../../../tasks/definition.ts'
import { binaryMetric } from '../../../tasks/metric.ts'

interface FamilyFacts
  extends Pick<BenchmarkDefinition, 'slug' | 'title' | 'summary' | 'description' | 'howMade' | 'knownLimits' | 'capabilities'> {
  /** Told before the first task message: the rules of the world. */
  readonly rules: string
  readonly maxTurns: number
  readonly breakdowns: readonly string[]
}

/** Every family says in the same way what it is and offers the same two ways of talking to its tools. */
export function familyDefinition({ rules, maxTurns, breakdowns, ...facts }: FamilyFacts): BenchmarkDefinition {
  const profile = (
    protocol: 'text' | 'native',
    words: Pick<ProfileDefinition, 'key' | 'title' | 'summary' | 'requires'>,
  ): ProfileDefinition => ({
    ...words,
    split: 'test',
    systemPrompt: rules,
    promptTemplate: '{instruction}',
    shotTemplate: null,
    shots: 0,
    generation: { temperature: 0, max_output_tokens: 1024, stop: [] },
    metrics: [binaryMetric('goal', 'Goal reached', 'assay/environment_goal', { primary: true })],
    chanceLevel: 0,
    breakdowns,
    environment: { family: facts.slug, protocol, maxTurns },
  })
  return {
    ...facts,
    provider: 'assay',
    name: facts.slug,
    runner: 'inspect',
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    citation: null,
    homepage: null,
    profiles: [
      profile('text', {
        key: 'text-tools',
        title: 'Tools by text',
        summary: `Tools are described in the prompt and used by replying with a JSON object, so any chat model can play. At most ${maxTurns} turns.`,
        requires: ['chat'],
      }),
      profile('native', {
        key: 'native-tools',
        title: 'Native tool calls',
        summary: `Tools are offered through the provider’s own tool calls. At most ${maxTurns} turns.`,
        requires: ['chat', 'tools'],
      }),
    ],
  }
}
