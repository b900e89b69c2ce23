import { z } from 'zod'
import type { Answer, SandboxProcess } from './sandbox-process.ts'
import { jsonIn } from '../../../lib/json-value.ts'

/** What a candidate says to one command. Never a verdict: it can only name a value or what it raised. */
export type Reply =
  | { readonly kind: 'value'; readonly value: unknown }
  /** `module` is what the sandbox lacks, where that is why it was raised. */
  | { readonly kind: 'raised'; readonly type: string; readonly message: string; readonly module?: string | undefined }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'ended'; readonly detail: string }

const Raised = z.object({ error: z.object({ type: z.string(), message: z.string(), module: z.string().optional() }) })
const Value = z.object({ value: z.unknown() })

/** Sends one command to a candidate. Whatever it answers that is not a reply counts as its end. @throws SandboxLostError */
export async function command(candidate: SandboxProcess, message: unknown, timeoutMs: number): Promise<Reply> {
  return readReply(await candidate.ask(message, timeoutMs))
}

/** Levels of brackets that a reply may have: a list in a value takes two. What reads it must not run out of stack. */
const mostLevels = 400

function readReply(answer: Answer): Reply {
  if (answer.kind !== 'line') return answer
  if (isDeeperThan(mostLevels, answer.text))
    return { kind: 'ended', detail: `It sent a value nested deeper than ${mostLevels / 2} levels.` }
  const json = jsonIn(answer.text)
  const raised = Raised.safeParse(json)
  if (raised.success) return { kind: 'raised', ...raised.data.error }
  const value = Value.safeParse(json)
  if (value.success && typeof json === 'object' && json !== null && 'value' in json) return { kind: 'value', value: value.data.value }
  return { kind: 'ended', detail: 'It sent something that is no reply.' }
}

/** Whether a text has more brackets open at a time, strings left out. Character by character: a pattern runs out of stack on a long string. */
function isDeeperThan(most: number, text: string): boolean {
  let level = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '"') i = stringEnd(text, i)
    else if (char === '[' || char === '{') level++
    else if (char === ']' || char === '}') level--
    if (level > most) return true
  }
  return false
}

/** Where the quote is that closes a string, or the end of the text. */
function stringEnd(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"') return i
  }
  return text.length
}
