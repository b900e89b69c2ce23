import { z } from 'zod'

/** What an agent says in one piece, in the forms of A2A 1.0, its drafts and 0.3. */
const Part = z.object({
  text: z.string().optional(),
  data: z.unknown().optional(),
  raw: z.string().optional(),
  url: z.string().optional(),
  mediaType: z.string().optional(),
  filename: z.string().optional(),
  file: z
    .object({
      bytes: z.string().optional(),
      fileWithBytes: z.string().optional(),
      uri: z.string().optional(),
      fileWithUri: z.string().optional(),
      mimeType: z.string().optional(),
      mediaType: z.string().optional(),
      name: z.string().optional(),
    })
    .optional(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})
type Part = z.infer<typeof Part>

const Message = z.object({ parts: z.array(Part) })
const Artifact = Message.extend({
  artifactId: z.string().optional(),
  name: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})
type Artifact = z.infer<typeof Artifact>

/** `input-required` of 0.3 as `TASK_STATE_INPUT_REQUIRED`. */
const State = z
  .string()
  .transform(state => (state.startsWith('TASK_STATE_') ? state : `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}`))
const Task = z.object({
  id: z.string(),
  status: z.object({ state: State, message: Message.nullish() }),
  artifacts: z.array(Artifact).nullish(),
  history: z
    .array(Message.extend({ role: z.string().nullish() }))
    .nullish()
    .catch(null),
})
export type AgentTask = z.infer<typeof Task>

export type AgentResult =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'task'; readonly task: AgentTask }
  | { readonly kind: 'neither' }

const Wrapped = z.object({ message: Message.optional(), msg: Message.optional(), task: Task.optional() })

/** The result of sending a message: `{message}`, `{task}`, or the bare message or task that 0.3 and GetTask give. */
export function readResult(value: unknown): AgentResult {
  const wrapped = Wrapped.safeParse(value)
  const message = wrapped.data?.message ?? wrapped.data?.msg ?? (kindOf(value) === 'message' ? Message.safeParse(value).data : undefined)
  if (message) return { kind: 'message', text: textOf([message]) }
  const task = wrapped.data?.task ?? Task.safeParse(value).data
  return task ? { kind: 'task', task } : { kind: 'neither' }
}

function kindOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'kind' in value ? value.kind : null
}

const StatusUpdate = z.object({ taskId: z.string(), status: Task.shape.status })
const ArtifactUpdate = z.object({ taskId: z.string(), artifact: Artifact, append: z.boolean().nullish() })
const Update = z.object({ statusUpdate: StatusUpdate.optional(), artifactUpdate: ArtifactUpdate.optional() })

function updateIn(value: unknown): z.infer<typeof Update> {
  const kind = kindOf(value)
  if (kind === 'status-update') return { statusUpdate: StatusUpdate.safeParse(value).data }
  if (kind === 'artifact-update') return { artifactUpdate: ArtifactUpdate.safeParse(value).data }
  return Update.safeParse(value).data ?? {}
}

/** What a stream comes to: its message, or its task as all the updates left it. */
export function readStream(values: readonly unknown[]): AgentResult {
  let task: AgentTask | null = null
  let artifacts: Artifact[] = []
  for (const value of values) {
    const { statusUpdate, artifactUpdate } = updateIn(value)
    if (statusUpdate) task = { id: statusUpdate.taskId, status: statusUpdate.status }
    if (artifactUpdate) {
      task ??= { id: artifactUpdate.taskId, status: { state: 'TASK_STATE_WORKING' } }
      artifacts = withUpdate(artifacts, artifactUpdate.artifact, artifactUpdate.append === true)
    }
    if (statusUpdate || artifactUpdate) continue
    const whole = readResult(value)
    if (whole.kind === 'message') return whole
    if (whole.kind === 'task') {
      task = whole.task
      artifacts = [...(whole.task.artifacts ?? [])]
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

const logNames = /(?:^|[^a-z])(?:logs?|traces?|debug|thoughts?|thinking|reasoning|progress|scratchpad|steps?|tool[ _-]?calls?)(?![a-z])/i
const answerNames = /(?:^|[^a-z])(?:(?:final[ _-]?)?(?:answer|result|response|output))(?![a-z])/i

export interface Said {
  readonly output: string
  /** What its artifacts that are named as logs, traces or thoughts hold; empty where there are none. */
  readonly reasoning: string
}

/**
 * What an ended task says: its artifacts, or else the message of its status, or else the agent's last message before. Artifacts that are named as logs are not the answer where
 * others are there; of several others, those named as answers are.
 */
export function answerOfTask({ artifacts, status, history }: AgentTask): Said {
  const all = (artifacts ?? []).filter(({ parts }) => parts.length > 0)
  const logs = all.filter(one => namesOf(one).some(name => logNames.test(name)))
  const others = all.filter(one => !logs.includes(one))
  const named = others.filter(one => namesOf(one).some(name => answerNames.test(name)))
  const chosen = named.length > 0 ? named : others
  const said = textOf(chosen.map(one => partsOf(one, false)))
  const last = history?.findLast(({ role }) => role != null && /agent/i.test(role))
  const messages = [status.message, last].map(message => textOf(message ? [message] : []))
  const output = [said, ...messages].find(text => text !== '') ?? ''
  if (output === '') return { output: textOf(logs), reasoning: '' }
  return { output, reasoning: textOf([...logs, ...chosen.map(one => partsOf(one, true))]) }
}

/** Google's agent kit marks parts that are thoughts: `adk_thought`. */
function partsOf({ parts }: Artifact, areThoughts: boolean): z.infer<typeof Message> {
  const isThought = ({ metadata }: Part) =>
    Object.entries(metadata ?? {}).some(([name, value]) => value === true && /(?:^|[^a-z])thought$/.test(name))
  return { parts: parts.filter(part => isThought(part) === areThoughts) }
}

function namesOf({ artifactId, name, metadata }: Artifact): string[] {
  const kinds = [metadata?.['type'], metadata?.['kind'], metadata?.['role']]
  return [artifactId, name, ...kinds].filter(one => typeof one === 'string')
}

/** What the agent says of the state that its task is in; empty where it says nothing. */
export function reasonOfTask({ status }: AgentTask): string {
  return textOf(status.message ? [status.message] : [])
}

function textOf(messages: readonly z.infer<typeof Message>[]): string {
  return messages
    .map(({ parts }) => parts.map((part, i) => `${i > 0 && part.text === undefined ? '\n' : ''}${textOfPart(part)}`).join(''))
    .filter(text => text !== '')
    .join('\n\n')
    .toWellFormed()
}

const textual = /^(?:text\/|application\/(?:[a-z.+-]*\+)?(?:json|xml|yaml|x-yaml|javascript|sql)\b)/i

/** Data as JSON, a file of text as its text; any other file is named. */
function textOfPart({ text, data, raw, url, mediaType, filename, file }: Part): string {
  if (text !== undefined) return text
  if (data !== undefined) return JSON.stringify(unwrapped(data)) ?? ''
  const bytes = raw ?? file?.bytes ?? file?.fileWithBytes
  const type = mediaType ?? file?.mediaType ?? file?.mimeType ?? ''
  const address = url ?? file?.uri ?? file?.fileWithUri
  if (bytes === undefined && address === undefined) return ''
  const content = bytes === undefined ? null : Buffer.from(bytes, 'base64')
  if (content && textual.test(type)) return content.toString('utf8')
  const facts = [type, content ? `${content.length} bytes` : address].filter(fact => fact !== '' && fact !== undefined)
  return `[File ${filename ?? file?.name ?? 'without a name'}: ${facts.join(', ')}]`
}

/** Drafts of 1.0 wrap data in one more `data`. */
function unwrapped(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'data' in data && Object.keys(data).length === 1 ? data.data : data
}
