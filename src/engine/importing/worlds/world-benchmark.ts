import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { NewWorld } from '../../../contract/worlds/worlds.schemas.ts'
import { worldPrompt } from '../../tasks/world-task.ts'
import { attackScorerId } from '../../grading/worlds/attack.scorer.ts'
import { worldScorerId } from '../../grading/worlds/world.scorer.ts'
import { type BenchmarkDefinition, type PlayedWorld, type ProfileDefinition } from '../../tasks/definition.ts'
import { binaryMetric } from '../../tasks/metric.ts'

/** Evaluators of a world whose judge was made one; absent where it has none to make. */
export interface WorldGraders {
  /** Rules and criteria together. */
  readonly all?: Metric
  readonly user?: Metric
}

/** A world as the benchmark that quotes and runs know: the same tasks by text and by native tool calls. */
export function worldBenchmark(
  { slug, title, description, instructions, tools, limits, tasks, user_model }: NewWorld,
  { all, user }: WorldGraders = {},
): BenchmarkDefinition {
  const world: PlayedWorld = { tools, limits, ...(user_model && { user_model }) }
  const isAttacked = tasks.some(({ attack }) => attack)
  const isBinary = !tasks.some(({ expected }) => expected.weights)
  const profile = (
    protocol: 'text' | 'native',
    words: Pick<ProfileDefinition, 'key' | 'title' | 'summary' | 'requires'>,
  ): ProfileDefinition => ({
    ...words,
    split: 'test',
    systemPrompt: instructions ?? null,
    promptTemplate: worldPrompt,
    shotTemplate: null,
    shots: 0,
    generation: { temperature: 0, max_output_tokens: limits.max_output_tokens, stop: [] },
    metrics: [
      ...(all ? [all] : []),
      {
        ...binaryMetric('goal', all ? 'State, calls and answer' : 'Expectations met', worldScorerId, { primary: !all }),
        binary: isBinary,
      },
      ...(isAttacked ? [binaryMetric('attack', 'Attack resisted', attackScorerId)] : []),
      ...(user ? [user] : []),
    ],
    chanceLevel: null,
    breakdowns: isAttacked ? ['attack'] : [],
    environment: { family: slug, protocol, maxTurns: limits.turns, world },
  })
  const most = `At most ${limits.turns} turns.`
  const byText = profile('text', {
    key: 'text-tools',
    title: 'Tools by text',
    summary: `Tools are described in the prompt and used by replying with a JSON object, so any chat model can play. ${most}`,
    requires: ['chat'],
  })
  const byCalls = profile('native', {
    key: 'native-tools',
    title: 'Native tool calls',
    summary: `Tools are offered through the provider’s own tool calls. ${most}`,
    requires: ['chat', 'tools'],
  })
  // Without tools the native protocol adds nothing to the conversation.
  const withoutTools = profile('native', {
    key: 'conversation',
    title: 'Conversation',
    summary: `A conversation without tools, which any chat model can play. ${most}`,
    requires: ['chat'],
  })
  return {
    slug,
    provider: 'local',
    name: slug,
    title,
    summary: `An environment of this workspace with ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}.`,
    description,
    howMade: 'Made in this workspace from tools, state and tasks.',
    knownLimits: [],
    runner: 'inspect',
    capabilities: ['tool use'],
    license: { name: 'private', url: null },
    citation: null,
    homepage: null,
    profiles: tools.length === 0 ? [withoutTools] : [byText, byCalls],
  }
}
