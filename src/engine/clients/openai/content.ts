import { z } from 'zod'

const TextPart = z.object({ type: z.string().optional().catch(undefined), text: z.string().optional().catch(undefined) })
const Thoughts = z
  .union([z.string(), z.array(TextPart)])
  .optional()
  .catch(undefined)
const Part = TextPart.extend({
  // Mistral: text or parts; Cohere: text.
  thinking: Thoughts,
  // Databricks
  summary: Thoughts,
  refusal: z.string().optional().catch(undefined),
})

/** Text as it is, or as a list of parts: of them text is said and thinking thought, anything else is neither. */
export const Content = z.union([z.string(), z.array(z.union([z.string().transform(text => ({ type: 'text', text })), Part]))]).nullish()
export type Content = z.infer<typeof Content>

const Thought = z.string().nullish().catch(null)
const Block = z.looseObject({ text: Thought, summary: Thought, thinking: Thought })
const Blocks = z
  .array(Block.catch({ text: null, summary: null, thinking: null }))
  .nullish()
  .catch(null)

/**
 * Where a message, whole or a piece of a stream, holds reasoning: `reasoning_content` (DeepSeek, Qwen, Moonshot, SGLang, llama.cpp),
 * `reasoning` (vLLM, Ollama, Groq, OpenRouter), `reasoning_text` (GitHub), `thinking` (Ollama's own), OpenRouter's `reasoning_details`,
 * LiteLLM's `thinking_blocks`.
 */
export const reasoningFields = {
  reasoning_content: Thought,
  reasoning: Thought,
  reasoning_text: Thought,
  thinking: Thought,
  reasoning_details: Blocks,
  thinking_blocks: Blocks,
}
type ReasoningFields = Partial<z.infer<z.ZodObject<typeof reasoningFields>>>

export function textOf(content: Content): string {
  return typeof content === 'string' ? content : (content ?? []).map(part => (isText(part.type) ? (part.text ?? '') : '')).join('')
}

/** The words of a model that declines, where they are parts. */
export function refusalIn(content: Content): string {
  return typeof content === 'string' ? '' : (content ?? []).map(part => ('refusal' in part ? (part.refusal ?? '') : '')).join('')
}

/** Servers that write several of these fields write the same into each, so the first that holds something counts. */
export function reasoningOf(
  { reasoning_content, reasoning, reasoning_text, thinking, reasoning_details, thinking_blocks }: ReasoningFields,
  content: Content,
): string {
  const blocks = (list: typeof reasoning_details) => (list ?? []).map(block => block.text ?? block.summary ?? block.thinking ?? '').join('')
  const parts = typeof content === 'string' ? '' : (content ?? []).map(thoughtIn).join('')
  return (
    [reasoning_content, reasoning, reasoning_text, thinking, blocks(reasoning_details), blocks(thinking_blocks), parts].find(
      text => text,
    ) ?? ''
  )
}

const isText = (type: string | undefined): boolean => type === undefined || type === 'text' || type === 'output_text'

function thoughtIn({ type, text, thinking, summary }: Partial<z.infer<typeof Part>>): string {
  const thought = thinking ?? (type === 'reasoning' ? summary : undefined)
  if (typeof thought === 'string') return thought
  if (thought) return thought.map(part => part.text ?? '').join('')
  return type === 'thinking' || type === 'reasoning' ? (text ?? '') : ''
}
