import { z } from 'zod'
import type { Answer, ToolCall } from '../model-client.ts'

/** What of an answer the protocol decides; the rest is the transport's. */
export type AnswerContent = Pick<Answer, 'output' | 'finishReason' | 'refused' | 'usage' | 'toolCalls'>

/** Text as it is, or as a list of parts of which those of type `text` count. */
const Content = z.union([z.string(), z.array(z.object({ type: z.string(), text: z.string().optional() }))]).nullish()

const ToolCalls = z.array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))

const Choice = z.object({
  index: z.int().optional(),
  message: z.object({ content: Content, refusal: z.string().nullish(), tool_calls: ToolCalls.nullish().catch(null) }),
  finish_reason: z.string().nullish(),
})

const Reply = z.object({ choices: z.array(Choice).min(1), usage: z.unknown().optional() })

const TokenCount = z.int().min(0)
const Usage = z.object({ prompt_tokens: TokenCount, completion_tokens: TokenCount })

/** Null where the provider counted nothing, or counts that cannot be true, such as negative ones: they must not reach a bill. */
export function parseUsage(value: unknown): Answer['usage'] {
  const usage = Usage.safeParse(value)
  return usage.success ? { inputTokens: usage.data.prompt_tokens, outputTokens: usage.data.completion_tokens } : null
}

/** The answer in a chat-completions reply. The problem follows "The reply": e.g. `has no choices`. */
export function parseReply(
  value: unknown,
): { readonly ok: true; readonly content: AnswerContent } | { readonly ok: false; readonly problem: string } {
  const reply = Reply.safeParse(value)
  if (!reply.success) return { ok: false, problem: describeIssue(reply.error) }
  const choice = reply.data.choices.find(({ index }) => index === 0) ?? reply.data.choices[0]
  if (!choice) return { ok: false, problem: 'has no choices' }
  const { content, refusal, tool_calls: calls } = choice.message
  return {
    ok: true,
    content: answerContent({
      text:
        typeof content === 'string' ? content : (content ?? []).map(part => (part.type === 'text' ? part.text : undefined) ?? '').join(''),
      refusal: refusal ?? '',
      finishReason: choice.finish_reason ?? null,
      usage: parseUsage(reply.data.usage),
      toolCalls: (calls ?? []).map(call => ({ id: call.id, ...call.function })),
    }),
  }
}

export interface AnswerParts {
  readonly text: string
  readonly refusal: string
  readonly finishReason: string | null
  readonly usage: Answer['usage']
  readonly toolCalls?: readonly ToolCall[]
}

/** Half a surrogate pair cannot be stored as UTF-8, so it becomes U+FFFD here: what is graded is then what is stored. */
export function answerContent({ text, refusal, finishReason, usage, toolCalls = [] }: AnswerParts): AnswerContent {
  const output = text === '' ? refusal : text
  const content = { output: output.toWellFormed(), finishReason, refused: refusal !== '', usage }
  return toolCalls.length === 0 ? content : { ...content, toolCalls }
}

function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues
  const place = issue && issue.path.length > 0 ? z.core.toDotPath(issue.path) : 'its outermost value'
  return `is no chat completion: ${place} is missing or of the wrong type`
}
