import { z } from 'zod'

const Change = z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })

/** The part of an episode of a world that is graded; the whole is `Episode` of the engine's execution. */
export const PlayedEpisode = z.object({
  ended: z.string(),
  turns: z.int(),
  answer: z.string().nullable(),
  state: z.record(z.string(), z.unknown()),
  steps: z.array(
    z.object({
      turn: z.int(),
      calls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()), error: z.boolean() })),
      changes: z.array(Change),
      answer: z.string().exactOptional(),
    }),
  ),
  messages: z.array(z.object({ role: z.string(), content: z.string() })).default([]),
  world_error: z.string().nullable().default(null),
})
export type PlayedEpisode = z.infer<typeof PlayedEpisode>

/** The episode in an output; null when it holds none. */
export function playedEpisode(output: string): PlayedEpisode | null {
  try {
    return PlayedEpisode.safeParse(JSON.parse(output)).data ?? null
  } catch {
    return null
  }
}
