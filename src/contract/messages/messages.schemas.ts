import { z } from 'zod'

/** Bounds of what one task, answer or example may contain. */
export const messageLimits = { parts: 256, messages: 1000, media: 100, textCharacters: 4_000_000 } as const

/** A stored media file by its content: `sha256:` and 64 lower-case hexadecimal digits. */
export const MediaDigest = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, 'must be "sha256:" and 64 lower-case hexadecimal digits')
  .meta({ example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })
export type MediaDigest = z.infer<typeof MediaDigest>

/** Text of a part or message. */
const Text = z.string().max(messageLimits.textCharacters)
const ShortText = z.string().max(10_000)
const CallName = z.string().min(1).max(200)

export const TextPart = z.strictObject({ type: z.literal('text'), text: Text })

export const ImagePart = z.strictObject({
  type: z.literal('image'),
  media: MediaDigest,
  detail: z.enum(['low', 'high', 'auto']).optional().describe('How closely the model looks; sent to providers that take it.'),
  alt: ShortText.optional().describe('For people who cannot see it; never sent to a model.'),
})

export const AudioPart = z.strictObject({
  type: z.literal('audio'),
  media: MediaDigest,
  transcript: ShortText.optional().describe('For people; never sent to a model.'),
})

/** What forms that need a file’s name call a document without a title; Inspect does so, too. */
export const unnamedDocument = 'document.pdf'

export const DocumentPart = z.strictObject({
  type: z.literal('document'),
  media: MediaDigest,
  title: z.string().max(200).optional().describe('Sent as the file’s name or title.'),
})

export const ReasoningPart = z.strictObject({
  type: z.literal('reasoning'),
  text: Text,
  redacted: z.boolean().optional().describe('The provider encrypted the text.'),
  signature: z.string().max(100_000).optional().describe('With which the provider takes the reasoning back.'),
})

export const ToolCallPart = z.strictObject({
  type: z.literal('tool_call'),
  id: z.string().min(1).max(200),
  name: CallName,
  arguments: Text.describe('JSON text, as the model wrote it.'),
})

export const ToolResultPart = z.strictObject({ type: z.literal('tool_result'), content: Text, is_error: z.boolean().optional() })

const parts = [TextPart, ImagePart, AudioPart, DocumentPart, ReasoningPart, ToolCallPart, ToolResultPart] as const
const partTypes = parts.map(part => part.shape.type.value)

/** A piece of a message. */
export const Part = z
  .discriminatedUnion('type', parts, {
    error: ({ input }) => {
      const type = typeof input === 'object' && input !== null && 'type' in input ? input.type : undefined
      if (typeof type !== 'string') return `must be one of ${partTypes.join(', ')}`
      if (/^(?:input_)?video(?:_url)?$/.test(type)) return `is "${type}"; video is not supported: use single frames as images`
      return `is "${type.slice(0, 40)}"; it must be one of ${partTypes.join(', ')}`
    },
  })
  .meta({ id: 'MessagePart' })
export type Part = z.infer<typeof Part>
export type MediaPart = Extract<Part, { media: string }>

/** A plain string where a message is text alone. */
export const MessageContent = z.union([Text, z.array(Part).min(1).max(messageLimits.parts)])
export type MessageContent = z.infer<typeof MessageContent>

const roles = ['system', 'user', 'assistant', 'tool'] as const

const rolesOf: { readonly [Type in Part['type']]: readonly (typeof roles)[number][] } = {
  text: roles,
  image: ['user', 'assistant', 'tool'],
  audio: ['user', 'assistant'],
  document: ['user', 'tool'],
  reasoning: ['assistant'],
  tool_call: ['assistant'],
  tool_result: ['tool'],
}

/** One message of a conversation. */
export const Message = z
  .strictObject({
    role: z.enum(roles),
    content: MessageContent,
    tool_call_id: z.string().min(1).max(200).optional().describe('Of the tool call that a `tool` message answers.'),
    name: CallName.optional().describe('Of the tool that a `tool` message answers for, or of the speaker.'),
  })
  .superRefine(({ role, content, tool_call_id }, context) => {
    if (role === 'tool' && tool_call_id === undefined)
      context.addIssue({ code: 'custom', path: ['tool_call_id'], message: 'is required in a tool message' })
    if (role !== 'tool' && tool_call_id !== undefined)
      context.addIssue({ code: 'custom', path: ['tool_call_id'], message: `has no place in a message of role "${role}"` })
    if (typeof content === 'string') return
    for (const [i, { type }] of content.entries())
      if (!rolesOf[type].includes(role))
        context.addIssue({ code: 'custom', path: ['content', i], message: `of type "${type}" has no place in a message of role "${role}"` })
  })
  .meta({ id: 'Message' })
export type Message = z.infer<typeof Message>

/** A conversation whose last message the model answers: a user's, or the result of a tool. */
export const Conversation = z
  .array(Message)
  .min(1)
  .max(messageLimits.messages)
  .superRefine((messages, context) => {
    const last = messages.at(-1)
    if (last && last.role !== 'user' && last.role !== 'tool')
      context.addIssue({
        code: 'custom',
        path: [messages.length - 1, 'role'],
        message: `is "${last.role}"; a conversation must end with a message of the user or a tool, which the model answers`,
      })
    const called = new Set<string>()
    for (const [i, message] of messages.entries()) {
      for (const part of partsOf(message)) if (part.type === 'tool_call') called.add(part.id)
      const { tool_call_id: id } = message
      if (id !== undefined && !called.has(id))
        context.addIssue({ code: 'custom', path: [i, 'tool_call_id'], message: `"${id.slice(0, 60)}" names no earlier tool call` })
    }
    const media = messages.flatMap(partsOf).filter(isMediaPart).length
    if (media > messageLimits.media)
      context.addIssue({ code: 'custom', message: `has ${media} media parts; at most ${messageLimits.media} are allowed` })
  })
  .meta({ id: 'Conversation' })
export type Conversation = z.infer<typeof Conversation>

/** The parts of a message; a plain string is one part of text. */
export function partsOf({ content }: Pick<Message, 'content'>): readonly Part[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

export function isMediaPart(part: Part): part is MediaPart {
  return 'media' in part
}

/** The media of a conversation, each file once, in the order of their first use. */
export function filesIn(messages: readonly Pick<Message, 'content'>[]): readonly MediaPart[] {
  const byDigest = new Map<MediaDigest, MediaPart>()
  for (const part of messages.flatMap(partsOf)) if (isMediaPart(part) && !byDigest.has(part.media)) byDigest.set(part.media, part)
  return [...byDigest.values()]
}

/** Digests of all media of a conversation, each once, in the order of their first use. */
export function mediaIn(messages: readonly Pick<Message, 'content'>[]): readonly MediaDigest[] {
  return filesIn(messages).map(({ media }) => media)
}
