import { z } from 'zod'
import { partsOf } from '../../contract/messages/messages.schemas.ts'
import type { Task } from './task.ts'

/** The part of a task that a quote has to know without reading it. */
export const TaskShape = z.object({
  /** Kinds of its parts beside text, as `role/type`; earlier reasoning without a signature as `assistant/unsigned_reasoning`, a tool call whose arguments are not a JSON object as `assistant/unparsed_tool_call`. */
  parts: z.array(z.string()),
  /** Answers that one sample takes. */
  turns: z.int().min(1),
})
export type TaskShape = z.infer<typeof TaskShape>

/** Null for one question in plain text. */
export function shapeOf({ conversations, turns = [] }: Pick<Task, 'conversations' | 'turns'>): TaskShape | null {
  if (!conversations && turns.length === 0) return null
  const messages = [...Object.values(conversations ?? {}).flat(), ...turns.map(content => ({ role: 'user' as const, content }))]
  const parts = messages.flatMap(message => [
    ...(message.role === 'tool' ? ['tool/tool_result'] : []),
    ...partsOf(message).flatMap(part => {
      if (part.type === 'text') return []
      const isUnsigned = part.type === 'reasoning' && part.signature === undefined && part.redacted !== true
      const isUnparsed = part.type === 'tool_call' && !isObject(part.arguments)
      return [`${message.role}/${isUnsigned ? 'unsigned_reasoning' : isUnparsed ? 'unparsed_tool_call' : part.type}`]
    }),
  ])
  const shape = { parts: [...new Set(parts)].toSorted(), turns: turns.length + 1 }
  return shape.parts.length === 0 && shape.turns === 1 ? null : shape
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
