import { z } from 'zod'
import type { UserModel, WorldTool } from '../../../../contract/worlds/worlds.schemas.ts'
import type { JudgeMessage } from '../../../grading/judges/judge-prompt.ts'
import type { Action } from '../environment.ts'
import { type AskUser, askPlayer, cutBytes, longestUserReply } from './simulated-user.ts'
import { WorldError } from './world-error.ts'

type ModelTool = WorldTool & { readonly behavior: Extract<WorldTool['behavior'], { kind: 'model' }> }

/** One call of a tool that a model played, and what it answered. */
export interface SimulatedCall {
  readonly action: Action
  readonly reply: string
}

/** Characters of the state that the model is shown. */
const mostState = 8_000

/** What the model may answer: a result, or an error. Text that is neither is the result. */
const Reply = z.union([z.strictObject({ result: z.json() }), z.strictObject({ error: z.string().min(1) })])

/** Whether a tool is played by a model. */
export function isSimulated(tool: WorldTool): tool is ModelTool {
  return tool.behavior.kind === 'model'
}

/**
 * Asks the world's model what a tool answers.
 * @param earlier calls of simulated tools in this episode, oldest first, so that its answers fit together
 * @throws WorldError, UserCutOffError
 */
export async function askSimulatedTool(
  tool: ModelTool,
  given: Action['arguments'],
  { state, earlier, model, ask }: { state: unknown; earlier: readonly SimulatedCall[]; model: UserModel | undefined; ask: AskUser },
): Promise<{ readonly text: string; readonly isError: boolean; readonly call: SimulatedCall }> {
  const action = { tool: tool.name, arguments: given }
  const reply = cutBytes((await askPlayer(model, toolPrompt(tool, action, state, earlier), 'tool', ask)).trim())
  if (reply === '') throw new WorldError(`The simulated tool ${tool.name} wrote nothing.`)
  const read = Reply.safeParse(jsonIn(reply)).data ?? { result: reply }
  const call = { action, reply }
  if ('error' in read) return { text: `Error: ${read.error}`, isError: true, call }
  return { text: typeof read.result === 'string' ? read.result : JSON.stringify(read.result), isError: false, call }
}

/** Characters of the longest prompt of a world's simulated tools, beside the arguments that they are called with; 0 where it has none. */
export function longestToolPrompt(tools: readonly WorldTool[], calls: number): number {
  const own = tools.filter(isSimulated).map(tool => instructionsFor(tool).length)
  return own.length === 0 ? 0 : Math.max(...own) + mostState + calls * (longestUserReply + 100)
}

function toolPrompt(tool: ModelTool, action: Action, state: unknown, earlier: readonly SimulatedCall[]): JudgeMessage[] {
  const shown = JSON.stringify(state) ?? 'null'
  const world = shown === '{}' ? '' : `\n\nWhat is so in the world, as JSON: ${shown.slice(0, mostState)}`
  return [
    { role: 'system', content: `${instructionsFor(tool)}${world}` },
    ...earlier.flatMap(({ action: call, reply }): JudgeMessage[] => [
      { role: 'user', content: asCall(call) },
      { role: 'assistant', content: reply },
    ]),
    { role: 'user', content: asCall(action) },
  ]
}

function instructionsFor({ name, description, parameters, behavior }: ModelTool): string {
  return [
    `You play the tool ${name}, which an assistant calls. Each message is a call; answer it as the tool would, and as your earlier answers say.`,
    ...(description === '' ? [] : [`What the tool does: ${description}`]),
    `Its arguments, as a JSON Schema: ${JSON.stringify(parameters)}`,
    ...(behavior.instructions === '' ? [] : [behavior.instructions]),
    'Write one JSON object and nothing else: {"result": …} with any JSON, or {"error": "…"} where the tool would fail. Do not address the assistant.',
  ].join('\n\n')
}

const asCall = ({ tool, arguments: given }: Action): string => `${tool}(${JSON.stringify(given)})`

/** The object that a text is, also within a fence; undefined where it is not an object. */
function jsonIn(text: string): unknown {
  const inner = text.startsWith('```') ? text.slice(text.indexOf('\n') + 1, text.lastIndexOf('```')) : text
  try {
    return JSON.parse(inner)
  } catch {
    return undefined
  }
}
