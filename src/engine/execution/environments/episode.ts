import { contentText } from '../../../contract/messages/message-text.ts'
import { CallLog } from '../samples/call-log.ts'
import type { Answer, CallOutcome, Failure, ModelRequest, ToolCall, ToolDefinition, Turn } from '../../clients/model-client.ts'
import type { Action, EpisodeEnd, Json, Simulation } from './environment.ts'
import { nativeTools } from './protocols/native-tools.ts'
import type { ToolProtocol } from './protocols/protocol.ts'
import { textTools } from './protocols/text-tools.ts'
import { UserCutOffError } from './worlds/simulated-user.ts'
import { WorldError } from './worlds/world-error.ts'

/** Puts one request to the model. A request that was never sent is answered with a failure that has none. */
export type CallModel = (request: ModelRequest) => Promise<CallOutcome>

export interface EpisodePlan {
  readonly family: string
  readonly protocol: 'text' | 'native'
  readonly tools: readonly ToolDefinition[]
  readonly maxTurns: number
  /** Of all observations of one turn together; what goes beyond is cut. */
  readonly observationBytes: number
  /** Of all turns, as far as they are counted; null: no limit. */
  readonly maxTokens: number | null
  /** Of all calls together, as the provider took them: no wait for a free place counts. Null: no limit. */
  readonly maxMs: number | null
  /** The conversation begins with its messages; its settings hold for every turn. */
  readonly request: ModelRequest
}

/** How an episode went, as its sample's output holds it in JSON. */
export interface Episode {
  readonly environment: string
  readonly protocol: 'text' | 'native'
  /** `answered` by the model, `over` because the world was, `turn_limit` when it took too many turns, and so for the other limits. */
  readonly ended: EpisodeEnd
  readonly turns: number
  readonly answer: string | null
  /** Final state of the world. */
  readonly state: Readonly<Record<string, Json>>
  readonly messages: readonly Turn[]
}

/** The run asks nothing more while it is the user's turn. */
const userCutOff: Failure = {
  ok: false,
  code: 'cancelled',
  message: 'The run was stopped before the simulated user had replied.',
  request: null,
  response: null,
  httpStatus: null,
  latencyMs: 0,
  retryAfterMs: null,
}

/** Tools used in one turn; what a model asks for beyond is dropped. */
export const maxToolCalls = 32
/** Of the note that an observation was cut. */
export const cutNoteBytes = 48

/**
 * Plays one task: calls the model, executes its tool calls and returns observations, until it answers, the world is over, or its
 * turns are used up. A call that fails ends the episode with that failure, so that the sample can be tried again from the start; where
 * it was no longer made, the last one that was made is shown as the episode's own.
 * @returns what a single call would, its output the episode as JSON and its last request and response as they went over the wire
 */
export async function playEpisode(plan: EpisodePlan, world: Simulation, call: CallModel): Promise<CallOutcome> {
  const protocol = protocolOf(plan)
  const base = openingRequest(plan)
  const log = new CallLog()
  const messages: Turn[] = [...base.messages]
  const ids = new Set<string>()
  const thoughts: string[] = []
  let tokens = 0
  let ms = 0
  for (let turn = 1; ; turn++) {
    world.beginTurn?.(turn)
    const outcome = log.add(await call({ ...base, messages: [...messages] }))
    if (!outcome.ok) return log.failed(outcome)
    if (outcome.reasoning?.trim()) thoughts.push(`Turn ${turn}\n${outcome.reasoning}`)
    const said = protocol.read({
      ...outcome,
      ...(outcome.toolCalls && { toolCalls: named(outcome.toolCalls.slice(0, maxToolCalls), ids) }),
    })
    messages.push(said.message)
    const end = (ended: EpisodeEnd, answer: string | null) =>
      log.answered(
        withThoughts(outcome, thoughts),
        episodeText({
          environment: plan.family,
          protocol: plan.protocol,
          ended,
          turns: turn,
          answer,
          state: world.state(answer),
          ...world.report?.(),
          messages: messages.map(withoutCarried),
        }),
      )
    ms += outcome.latencyMs
    tokens += outcome.usage ? outcome.usage.inputTokens + outcome.usage.outputTokens : 0
    const lastAnswer = said.kind === 'answer' ? said.answer : null
    try {
      if (said.kind === 'answer') {
        const reply = (await world.reply?.(said.answer)) ?? null
        if (reply === null) return end(world.endedBy ?? 'answered', said.answer)
        messages.push({ role: 'user', content: reply })
      } else {
        const observations = await protocol.observe(said, action => act(world, plan.tools, action))
        messages.push(...cut(observations, plan.observationBytes))
      }
    } catch (error) {
      if (error instanceof UserCutOffError) {
        log.add(userCutOff)
        return log.failed(userCutOff)
      }
      if (!(error instanceof WorldError)) throw error
      world.failed?.(error.message)
      return end('world_error', null)
    }
    if (world.over) return end(world.endedBy ?? 'over', lastAnswer)
    if (turn >= plan.maxTurns) return end('turn_limit', lastAnswer)
    if (tokens >= (plan.maxTokens ?? Infinity)) return end('token_limit', lastAnswer)
    if (ms >= (plan.maxMs ?? Infinity)) return end('time_limit', lastAnswer)
  }
}

/**
 * The calls with ids by which their results can be told apart: one that is missing or was given before is replaced, in the form that the
 * strictest server takes (Mistral: nine letters and digits).
 * @param used ids of the conversation, which those of these calls are added to
 */
function named(calls: readonly ToolCall[], used: Set<string>): ToolCall[] {
  return calls.map(call => {
    let id = call.id
    for (let n = used.size + 1; id === '' || used.has(id); n++) id = `call${String(n).padStart(5, '0')}`
    used.add(id)
    return { ...call, id }
  })
}

/** The first turn's request: what the conversation is opened with, and the tools where the protocol offers them as the provider's own. */
export function openingRequest(plan: Pick<EpisodePlan, 'protocol' | 'tools' | 'request'>): ModelRequest {
  const protocol = protocolOf(plan)
  const messages = protocol.open(plan.request.messages, plan.tools)
  return { ...plan.request, messages, ...(protocol.offersTools && plan.tools.length > 0 ? { tools: plan.tools } : {}) }
}

/** What only the provider can read is in the requests already. */
function withoutCarried(turn: Turn): Turn {
  if (!('toolCalls' in turn)) return turn
  const { carried: _, ...kept } = turn
  return kept
}

function protocolOf({ protocol }: Pick<EpisodePlan, 'protocol'>): ToolProtocol {
  return protocol === 'native' ? nativeTools : textTools
}

async function act(world: Simulation, tools: readonly ToolDefinition[], action: Action): Promise<string> {
  if (world.over) return 'Nothing more can be done.'
  const tool = tools.find(({ name }) => name === action.tool)
  if (!tool)
    return `There is no tool ${JSON.stringify(action.tool.slice(0, 80))}. The tools are ${tools.map(({ name }) => name).join(', ')}.`
  const missing = tool.parameters.filter(({ name, type }) => !isOf(type, action.arguments[name]))
  if (missing.length > 0) return `${tool.name} needs ${missing.map(({ name, type }) => `"${name}" (${type})`).join(' and ')}.`
  const odd = tool.parameters.find(({ name, values }) => values && !values.includes(String(action.arguments[name])))
  if (odd) return `"${odd.name}" must be one of ${odd.values?.join(', ')}.`
  return world.act(action)
}

function isOf(type: 'string' | 'integer', value: unknown): boolean {
  return type === 'string' ? typeof value === 'string' : typeof value === 'number' && Number.isSafeInteger(value)
}

/** Keeps the observations of a turn within so many bytes, the first ones first, beside the notes of what was cut. */
function cut(observations: readonly Turn[], bytes: number): Turn[] {
  let left = bytes
  return observations.map(observation => {
    const content = Buffer.from(contentText(observation.content).toWellFormed())
    const kept = Math.min(left, content.length)
    left -= kept
    if (kept === content.length) return observation
    // A character that the cut parts is left out, which is what a decoder does that expects more.
    const text = new TextDecoder().decode(content.subarray(0, kept), { stream: true })
    return { ...observation, content: `${text}\n(${content.length - kept} more bytes were cut)` }
  })
}

const episodeText = (episode: Episode): string => JSON.stringify(episode).toWellFormed()

/** The reasoning of each turn, kept beside the episode. */
function withThoughts({ reasoning: _, ...answer }: Answer, thoughts: readonly string[]): Answer {
  return thoughts.length === 0 ? answer : { ...answer, reasoning: thoughts.join('\n\n') }
}
