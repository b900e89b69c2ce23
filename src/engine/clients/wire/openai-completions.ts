import { z } from 'zod'
import { promptText } from '../../../contract/messages/message-text.ts'
import { isPromptBlocked } from '../openai/reply.ts'
import { readUsage } from '../usage/read-usage.ts'
import { bearer, dropped, wireAnswer, type WireProtocol } from './wire-protocol.ts'

const title = 'OpenAI completions'

const Reply = z.object({
  choices: z.array(z.object({ index: z.coerce.number().int().catch(0), text: z.string().nullish(), finish_reason: z.string().nullish() })),
  model: z.string().nullish().catch(null),
})

/** `POST /completions`: the prompt is one text and is continued, as base models want it. The base URL ends in `/v1`. */
export const openAiCompletions: WireProtocol = {
  title,
  headers: bearer,
  request: ({ messages, maxOutputTokens, temperature, stop, tools, effort }, model) => ({
    path: '/completions',
    body: {
      model,
      prompt: promptText(messages),
      max_tokens: maxOutputTokens,
      ...(temperature === null ? {} : { temperature }),
      ...(stop.length === 0 ? {} : { stop }),
    },
    notes: [
      ...dropped('tools', title, tools !== undefined),
      ...dropped('effort', title, effort !== undefined),
      ...(messages.length > 1
        ? [
            {
              code: 'parameter_adapted' as const,
              message: `${title} has no roles: the ${messages.length} messages were sent as one text, a blank line between them.`,
            },
          ]
        : []),
    ],
  }),
  read: value => {
    const reply = Reply.safeParse(value)
    if (!reply.success) return { ok: false, problem: 'is no completion: “choices” with a text is missing' }
    const choice = reply.data.choices.find(({ index }) => index === 0) ?? reply.data.choices[0]
    const count = readUsage(value)
    if (!choice && !isPromptBlocked({}, count)) return { ok: false, problem: 'has no choices' }
    return wireAnswer({
      output: choice?.text ?? '',
      finishReason: choice ? (choice.finish_reason ?? null) : 'prompt_blocked',
      refused: false,
      servedModel: reply.data.model,
      ...count,
    })
  },
}
