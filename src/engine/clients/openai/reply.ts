import { z } from 'zod'
import { readUsage } from '../usage/read-usage.ts'
import { answerOf, type WireReading } from '../wire/wire-protocol.ts'
import { Content, reasoningFields, reasoningOf, textOf } from './content.ts'
import { carriedOf, readToolCalls } from './tool-calls.ts'

const Message = z.object({
  content: Content,
  ...reasoningFields,
  refusal: z.string().nullish(),
  tool_calls: z.unknown().optional(),
})
const Choice = z.object({ index: z.int().optional(), message: Message.nullish(), finish_reason: z.string().nullish() })

/** Azure says of each prompt what its filter found; Gemini's own form, which some gateways pass on, why it was blocked. */
const Reply = z.object({
  choices: z.array(Choice),
  model: z.string().nullish().catch(null),
  promptFeedback: z.object({ blockReason: z.string() }).nullish().catch(null),
  prompt_feedback: z.object({ block_reason: z.string() }).nullish().catch(null),
})

/** The answer in a chat-completions reply. The problem follows "The reply": e.g. `has no choices`. */
export function parseReply(value: unknown): WireReading {
  const reply = Reply.safeParse(value)
  if (!reply.success) return { ok: false, problem: describeIssue(reply.error) }
  const { choices, model: servedModel, promptFeedback, prompt_feedback: feedback } = reply.data
  const count = readUsage(value)
  const { usage } = count
  const choice = choices.find(({ index }) => index === 0) ?? choices[0]
  // Gemini counts a blocked prompt and has no candidate for it (vercel/ai#4235).
  const isBlocked = promptFeedback != null || feedback != null || (usage !== null && usage.inputTokens > 0 && usage.outputTokens === 0)
  if (!choice && !isBlocked) return { ok: false, problem: 'has no choices' }
  if (choice && !choice.message && !choice.finish_reason) return { ok: false, problem: 'has a choice without a message' }
  const { content, refusal, tool_calls: calls, ...fields } = choice?.message ?? {}
  const text = textOf(content)
  return {
    ok: true,
    content: answerOf({
      output: text === '' ? (refusal ?? '') : text,
      reasoning: reasoningOf(fields, content),
      finishReason: choice ? (choice.finish_reason ?? null) : 'prompt_blocked',
      refused: (refusal ?? '') !== '',
      ...count,
      servedModel,
      toolCalls: readToolCalls(calls).map(({ call }) => call),
      carried: carriedOf(value, choice ? choices.indexOf(choice) : 0),
    }),
  }
}

function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues
  const place = issue && issue.path.length > 0 ? z.core.toDotPath(issue.path) : 'its outermost value'
  return `is no chat completion: ${place} is missing or of the wrong type`
}
