import { z } from 'zod'
import { type FrozenProfile, SampleEpisode } from '../../../contract/index.ts'

const Call = z.object({ name: z.string(), arguments: z.string() })
const Stored = SampleEpisode.omit({ messages: true }).extend({
  messages: z.array(
    z.object({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: z.string(), toolCalls: z.array(Call).default([]) }),
  ),
})

/** Whatever else it has is left out. */
const Plain = z.object(Stored.shape)

/** The episode in the output of a profile that plays an environment; null for other profiles and while there is no output. */
export function readEpisode({ metrics }: Pick<FrozenProfile, 'metrics'>, output: string | null): SampleEpisode | null {
  if (output === null || !metrics.some(({ scorer }) => scorer === 'assay/environment_goal')) return null
  const found = parse(output)
  if (!found) return null
  const { ended, turns, answer, state, messages } = found
  return {
    ended,
    turns,
    answer,
    state,
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
