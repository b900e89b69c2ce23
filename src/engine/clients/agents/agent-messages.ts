import { z } from 'zod'
import type { CallNote, ModelRequest } from '../model-client.ts'
import { dropped } from '../wire/wire-protocol.ts'

const title = 'The agent-to-agent protocol'

const Part = z.object({ text: z.string().optional() })
const Message = z.object({ parts: z.array(Part) })
const Task = z.object({
  id: z.string(),
  status: z.object({ state: z.string(), message: Message.nullish() }),
  artifacts: z.array(Message).nullish(),
})
export type AgentTask = z.infer<typeof Task>

/** The message that puts a conversation to an agent, which keeps nothing between calls. */
export function agentMessage(request: ModelRequest, messageId: string): { readonly message: object; readonly notes: readonly CallNote[] } {
  const { messages } = request
  const [only] = messages
  const text =
    messages.length === 1 && only ? only.content : messages.map(({ role, content }) => `${role.toUpperCase()}:\n${content}`).join('\n\n')
  return {
    message: { messageId, role: 'ROLE_USER', parts: [{ text }] },
    notes: [
      ...dropped('temperature', title, request.temperature !== null),
      ...dropped('max_output_tokens', title, true),
      ...dropped('stop', title, request.stop.length > 0),
      ...dropped('tools', title, request.tools !== undefined),
      ...dropped('effort', title, request.effort !== undefined),
      ...(messages.length > 1
        ? [
            {
              code: 'parameter_adapted' as const,
              message: `${title} takes one message: the ${messages.length} messages were sent as one text.`,
            },
          ]
        : []),
    ],
  }
}

export type AgentResult =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'task'; readonly task: AgentTask }
  | { readonly kind: 'neither' }

const Wrapped = z.object({ message: Message.optional(), task: Task.optional() })

/** The result of sending a message: `{message}`, `{task}`, or the bare task that GetTask gives. */
export function readResult(value: unknown): AgentResult {
  const wrapped = Wrapped.safeParse(value)
  if (wrapped.data?.message) return { kind: 'message', text: textOf([wrapped.data.message]) }
  const task = wrapped.data?.task ?? Task.safeParse(value).data
  return task ? { kind: 'task', task } : { kind: 'neither' }
}

const Update = z.object({
  statusUpdate: z.object({ taskId: z.string(), status: Task.shape.status }).optional(),
  artifactUpdate: z
    .object({ taskId: z.string(), artifact: Message.extend({ artifactId: z.string().optional() }), append: z.boolean().nullish() })
    .optional(),
})
type Artifact = z.infer<typeof Message> & { readonly artifactId?: string | undefined }

/** What a stream comes to: its message, or its task as all the updates left it. */
export function readStream(values: readonly unknown[]): AgentResult {
  let task: AgentTask | null = null
  let artifacts: Artifact[] = []
  for (const value of values) {
    const whole = readResult(value)
    if (whole.kind === 'message') return whole
    if (whole.kind === 'task') {
      task = whole.task
      artifacts = [...(whole.task.artifacts ?? [])]
      continue
    }
    const { statusUpdate, artifactUpdate } = Update.safeParse(value).data ?? {}
    if (statusUpdate) task = { id: statusUpdate.taskId, status: statusUpdate.status }
    if (artifactUpdate) {
      task ??= { id: artifactUpdate.taskId, status: { state: 'TASK_STATE_WORKING' } }
      artifacts = withUpdate(artifacts, artifactUpdate.artifact, artifactUpdate.append === true)
    }
  }
  return task ? { kind: 'task', task: { ...task, artifacts } } : { kind: 'neither' }
}

/** A chunk marked `append` extends the artifact; any other chunk is the whole artifact or replaces it. */
function withUpdate(artifacts: readonly Artifact[], update: Artifact, isPiece: boolean): Artifact[] {
  const at = artifacts.findIndex(({ artifactId }) => artifactId !== undefined && artifactId === update.artifactId)
  const earlier = artifacts[at]
  if (!earlier) return [...artifacts, update]
  return artifacts.with(at, isPiece ? { ...earlier, parts: [...earlier.parts, ...update.parts] } : update)
}

/** What an ended task says: its artifacts, or else the message of its status. */
export function answerOfTask({ artifacts, status }: AgentTask): string {
  const found = textOf(artifacts ?? [])
  return found === '' ? textOf(status.message ? [status.message] : []) : found
}

function textOf(messages: readonly z.infer<typeof Message>[]): string {
  return messages
    .map(({ parts }) => parts.map(part => part.text ?? '').join(''))
    .filter(text => text !== '')
    .join('\n\n')
    .toWellFormed()
}
