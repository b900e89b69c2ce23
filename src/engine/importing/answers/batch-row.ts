import { z } from 'zod'
import type { Row } from '../files/row.ts'

const Reason = z.union([z.string(), z.looseObject({ message: z.string().nullish() })]).nullish()

const Content = z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().nullish() }))]).nullish()
const Thought = z.string().nullish().catch(null)

/** A reply of chat or text completions. */
const Completion = z.looseObject({
  model: z.string().nullish(),
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ content: Content, reasoning_content: Thought, reasoning: Thought }).nullish(),
        text: z.string().nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.looseObject({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
  error: Reason,
})

/** A result of OpenAI’s batch interface. */
const OpenAiRow = z.looseObject({
  custom_id: z.string(),
  response: z.looseObject({ body: Completion.nullish() }).nullable(),
  error: Reason,
})

/** A reply of chat completions as it came, with the id of its task beside it. */
const BareReply = z.looseObject({ choices: z.array(z.looseObject({ message: z.looseObject({ content: z.unknown() }) })).min(1) })

/** A result of Anthropic’s message batches. */
const AnthropicRow = z.looseObject({
  custom_id: z.string(),
  result: z.looseObject({
    type: z.string(),
    message: z
      .looseObject({
        model: z.string().nullish(),
        content: z.array(z.looseObject({ type: z.string(), text: z.string().nullish(), thinking: z.string().nullish() })),
        stop_reason: z.string().nullish(),
        usage: z.looseObject({ input_tokens: z.number().nullish(), output_tokens: z.number().nullish() }).nullish(),
      })
      .nullish(),
    error: z.looseObject({ error: Reason, message: z.string().nullish() }).nullish(),
  }),
})

/** A result of Gemini’s batches. */
const GeminiRow = z.looseObject({
  key: z.string(),
  response: z
    .looseObject({
      candidates: z
        .array(
          z.looseObject({
            content: z
              .looseObject({ parts: z.array(z.looseObject({ text: z.string().nullish(), thought: z.boolean().nullish() })).nullish() })
              .nullish(),
            finishReason: z.string().nullish(),
          }),
        )
        .nullish(),
      promptFeedback: z.looseObject({ blockReason: z.string().nullish() }).nullish(),
      modelVersion: z.string().nullish(),
      usageMetadata: z
        .looseObject({
          promptTokenCount: z.number().nullish(),
          candidatesTokenCount: z.number().nullish(),
          /** Not among those of the candidates. */
          thoughtsTokenCount: z.number().nullish(),
        })
        .nullish(),
    })
    .nullish(),
  error: Reason,
})

/** A result of a provider’s batch interface as a row of a table: its task is the `custom_id`. A reply within a row, too. Any other row as it is. */
export function flatBatchRow(row: Row): Row {
  if (typeof row.value['custom_id'] !== 'string') return flatGemini(row) ?? flatReply(row)
  const openAi = OpenAiRow.safeParse(row.value)
  if (openAi.success) {
    const { custom_id, response, error } = openAi.data
    const answered = answeredIn(response?.body ?? {})
    return withValue(row, { task_id: custom_id, ...answered, error: reasonOf(error) ?? answered.error })
  }
  const anthropic = AnthropicRow.safeParse(row.value)
  if (!anthropic.success) return row
  const { custom_id, result } = anthropic.data
  const { message, error } = result
  return withValue(row, {
    task_id: custom_id,
    output: textOf(message?.content),
    reasoning: message?.content.map(part => (part.type === 'thinking' ? (part.thinking ?? '') : '')).join('') || null,
    finish_reason: message?.stop_reason,
    error: message ? null : (reasonOf(error?.error) ?? error?.message ?? result.type),
    model: message?.model,
    input_tokens: message?.usage?.input_tokens,
    output_tokens: message?.usage?.output_tokens,
  })
}

/** Null for a row of anything but Gemini. */
function flatGemini(row: Row): Row | null {
  const { data } = GeminiRow.safeParse(row.value)
  const { candidates, promptFeedback, modelVersion, usageMetadata: usage } = data?.response ?? {}
  const [candidate] = candidates ?? []
  const blocked = candidate ? null : (promptFeedback?.blockReason ?? null)
  // A table of one's own may have a key and errors, too.
  if (!data || !(candidate || blocked !== null || data.error) || 'output' in row.value) return null
  const parts = candidate?.content?.parts ?? []
  const joined = (isThought: boolean) => parts.map(({ text, thought }) => ((thought ?? false) === isThought ? (text ?? '') : '')).join('')
  return withValue(row, {
    task_id: data.key,
    output: candidate ? joined(false) : null,
    reasoning: joined(true) || null,
    finish_reason: candidate?.finishReason,
    error: reasonOf(data.error) ?? (blocked === null ? null : `The prompt was blocked: ${blocked}`),
    model: modelVersion,
    input_tokens: usage?.promptTokenCount,
    output_tokens: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0) || null,
  })
}

const TextParts = z.array(z.looseObject({ type: z.enum(['text', 'output_text']), text: z.string() })).min(1)
const Messages = z
  .array(z.looseObject({ role: z.string(), content: z.unknown(), tool_calls: z.array(z.unknown()).max(0).nullish() }))
  .min(1)

/** What a model said in the text parts of a message, or in the last of several messages; null for a list of anything else. */
export function repliedText(list: readonly unknown[]): string | null {
  const parts = TextParts.safeParse(list).data
  if (parts) return parts.map(({ text }) => text).join('')
  const messages = Messages.safeParse(list).data ?? []
  const last = messages.at(-1)
  // Two answers in a row are several outputs, not a conversation.
  if (last?.role !== 'assistant' || messages.at(-2)?.role === 'assistant') return null
  return typeof last.content === 'string' ? last.content : Array.isArray(last.content) ? repliedText(last.content) : null
}

function textOf(content: z.infer<typeof Content>): string | null {
  if (typeof content === 'string' || content == null) return content ?? null
  return content.flatMap(part => (part.type === 'text' && part.text ? [part.text] : [])).join('')
}

function reasonOf(error: z.infer<typeof Reason>): string | null {
  return typeof error === 'string' ? error : (error?.message ?? null)
}

function flatReply(row: Row): Row {
  if (!BareReply.safeParse(row.value).success || 'output' in row.value) return row
  const { choices: _, usage: _usage, object: _object, created: _created, ...others } = row.value
  const completion = Completion.safeParse(row.value)
  return completion.success ? withValue(row, { ...others, ...answeredIn(completion.data) }) : row
}

function answeredIn({ choices, model, usage, error }: z.infer<typeof Completion>) {
  const [choice] = choices ?? []
  return {
    output: textOf(choice?.message?.content) ?? choice?.text ?? null,
    reasoning: choice?.message?.reasoning_content || choice?.message?.reasoning || null,
    finish_reason: choice?.finish_reason,
    error: reasonOf(error),
    model,
    input_tokens: usage?.prompt_tokens,
    output_tokens: usage?.completion_tokens,
  }
}

function withValue(row: Row, value: Readonly<Record<string, unknown>>): Row {
  return { ...row, value: Object.fromEntries(Object.entries(value).map(([key, one]) => [key, one ?? null])) }
}
