import { z } from 'zod'
import { endingOf } from '../../../contract/runs/endings.ts'
import { readUsage, type Count } from '../usage/read-usage.ts'
import { answerOf, type WireReading } from '../wire/wire-protocol.ts'
import { Content, reasoningFields, reasoningOf, refusalIn, textOf } from './content.ts'
import { carriedOf, readToolCalls } from './tool-calls.ts'

/** Of a message, whole or a piece of a stream. */
export const messageFields = {
  content: Content,
  ...reasoningFields,
  refusal: z.string().nullish().catch(null),
  tool_calls: z.unknown().optional(),
  function_call: z.unknown().optional(),
}
/** OpenRouter: what the upstream itself said, where it was put into other words. */
export const endingFields = { finish_reason: z.string().nullish(), native_finish_reason: z.string().nullish().catch(null) }
const Choice = z.object({
  index: z.coerce.number().int().catch(0),
  // Servers that complete text say it without a message.
  message: z.object(messageFields).nullish(),
  text: z.string().nullish().catch(null),
  ...endingFields,
})

/** Gemini's own form, which some gateways pass on, says why a prompt was blocked. */
export const feedbackFields = {
  promptFeedback: z.object({ blockReason: z.string() }).nullish().catch(null),
  prompt_feedback: z.object({ block_reason: z.string() }).nullish().catch(null),
}
type Feedback = z.infer<z.ZodObject<typeof feedbackFields>>

const Reply = z.object({ choices: z.array(Choice).nullish(), model: z.string().nullish().catch(null), ...feedbackFields })

/** Why an answer ended that has no choice, since its prompt was blocked. */
export const promptBlocked = 'prompt_blocked'

/** Gemini counts a blocked prompt and has no candidate for it (vercel/ai#4235). */
export function isPromptBlocked({ promptFeedback, prompt_feedback: feedback }: Feedback, { usage }: Count): boolean {
  return promptFeedback != null || feedback != null || (usage !== null && usage.inputTokens > 0 && usage.outputTokens === 0)
}

/** The ending in the words that say more: a gateway may call `stop` what its upstream calls a refusal or a failure. */
export function finishReasonOf({ finish_reason, native_finish_reason }: z.infer<z.ZodObject<typeof endingFields>>): string | null {
  const [stated, native] = [endingOf(finish_reason ?? null), endingOf(native_finish_reason ?? null)]
  const saysMore = native === 'refused' || native === 'failed' || native === 'cut_off'
  return ((stated === 'good' || stated === null) && saysMore ? native_finish_reason : finish_reason) ?? null
}

/** The answer in a chat-completions reply. The problem follows "The reply": e.g. `has no choices`. */
export function parseReply(value: unknown): WireReading {
  const reply = Reply.safeParse(value)
  if (!reply.success) return { ok: false, problem: describeIssue(reply.error) }
  const { choices, model: servedModel } = reply.data
  const count = readUsage(value)
  const choice = choices?.find(({ index }) => index === 0) ?? choices?.[0]
  if (!choice && !isPromptBlocked(reply.data, count)) return { ok: false, problem: 'has no choices' }
  const finishReason = choice ? finishReasonOf(choice) : promptBlocked
  const { content = choice?.text, refusal: declined, tool_calls: calls, function_call: call, ...fields } = choice?.message ?? {}
  const ending = endingOf(finishReason)
  // A message may be missing where there is nothing to say.
  if (choice && !choice.message && content == null && (ending === 'good' || ending === null))
    return { ok: false, problem: 'has a choice without a message' }
  const text = textOf(content)
  const refusal = declined || refusalIn(content)
  const toolCalls = readToolCalls(calls ?? (call && { function: call })).map(({ call: read }) => read)
  return {
    ok: true,
    content: answerOf({
      output: text === '' ? refusal : text,
      reasoning: reasoningOf(fields, content),
      finishReason,
      refused: refusal !== '',
      ...count,
      servedModel,
      toolCalls,
      ...(toolCalls.length > 0 && { carried: carriedOf(value, choice && choices ? choices.indexOf(choice) : 0) }),
    }),
  }
}

function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues
  const place = issue && issue.path.length > 0 ? z.core.toDotPath(issue.path) : 'its outermost value'
  return `is no chat completion: ${place} is missing or of the wrong type`
}
