import { z } from 'zod'
import { worldScorerId } from '../../grading/worlds/world.scorer.ts'
import type { FrozenProfile } from '../../../contract/quotes/quotes.schemas.ts'
import { SampleEpisode } from '../../../contract/runs/samples.schemas.ts'

const Call = z.object({ name: z.string(), arguments: z.string() })
const Stored = SampleEpisode.omit({ messages: true }).extend({
  // Families that ship with Assay keep neither.
  steps: SampleEpisode.shape.steps.default(null),
  world_error: SampleEpisode.shape.world_error.default(null),
  messages: z.array(
    z.object({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: z.string(), toolCalls: z.array(Call).default([]) }),
  ),
})

/** Whatever else it has is left out. */
const Plain = z.object(Stored.shape)

const scorers = ['assay/environment_goal', worldScorerId]

/** The episode in the output of a profile that plays an environment; null for other profiles and while there is no output. */
export function readEpisode(
  { metrics }: { readonly metrics: readonly Pick<FrozenProfile['metrics'][number], 'scorer'>[] },
  output: string | null,
): SampleEpisode | null {
  if (output === null || !metrics.some(({ scorer }) => scorers.includes(scorer))) return null
  const found = parse(output)
  if (!found) return null
  const { ended, turns, answer, state, messages, steps, world_error } = found
  return {
    ended,
    turns,
    answer,
    state,
    steps,
    world_error,
    messages: messages.map(({ role, content, toolCalls }) => ({
      role,
      content,
      tool_calls: toolCalls.map(({ name, arguments: given }) => ({ name, arguments: given })),
    })),
  }
}

function parse(output: string): z.infer<typeof Stored> | null {
  try {
    return Plain.safeParse(JSON.parse(output)).data ?? null
  } catch {
    return null
  }
}
