import { z } from 'zod'

const Parts = z.array(z.looseObject({})).catch([])

/** Where providers put files beside the text of an answer. */
const Reply = z.looseObject({
  // Chat completions: recordings of OpenAI, images of OpenRouter, parts of others.
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ audio: z.unknown().optional(), images: Parts.optional(), content: Parts.optional() }).optional(),
      }),
    )
    .catch([]),
  // Responses.
  output: Parts,
  // Gemini.
  candidates: z.array(z.looseObject({ content: z.looseObject({ parts: Parts }).optional() })).catch([]),
})

/** How many images and recordings a reply holds beside its text. */
export function answeredFiles(value: unknown): number {
  const reply = Reply.safeParse(value)
  if (!reply.success) return 0
  const { choices, output, candidates } = reply.data
  const inChoices = choices.flatMap(({ message }) => [
    ...(message?.images ?? []),
    ...(message?.content ?? []).filter(part => ['image_url', 'image', 'audio', 'output_audio'].includes(String(part['type']))),
    ...(message?.audio ? [message.audio] : []),
  ])
  const drawn = output.filter(part => part['type'] === 'image_generation_call')
  const inCandidates = candidates.flatMap(({ content }) => content?.parts ?? []).filter(part => part['inlineData'] ?? part['fileData'])
  return inChoices.length + drawn.length + inCandidates.length
}
