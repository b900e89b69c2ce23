import { createHash } from 'node:crypto'
import { z } from 'zod'
import { openingOf, worldLimits, type WorldTool } from '../../../../contract/worlds/worlds.schemas.ts'
import { isDeeperThan, mostLevels, shown } from '../../../grading/worlds/json-values.ts'
import { type StateChange, stateChanges } from '../../../grading/worlds/state-changes.ts'
import type { PlayedWorld } from '../../../tasks/definition.ts'
import type { StoredWorldTask } from '../../../tasks/world-task.ts'
import type { Action, EpisodeEnd, Json, Simulation } from '../environment.ts'
import { askSimulatedUser, type Said } from './simulated-user.ts'
import { callRules, resultsOf } from './match-call.ts'
import { askSimulatedTool, isSimulated, type SimulatedCall } from './simulated-tool.ts'
import { WorldError } from './world-error.ts'
import type { WorldPlace } from './world-family.ts'
import { isObject } from '../../../../lib/json-value.ts'

interface Step {
  readonly turn: number
  readonly calls: {
    readonly name: string
    readonly arguments: Readonly<Record<string, unknown>>
    readonly error: boolean
    /** A model played the tool. */
    readonly simulated?: true
  }[]
  readonly changes: StateChange[]
  /** Where the task checks single turns. */
  answer?: string
}

type State = Readonly<Record<string, unknown>>
type Observation = { readonly text: string; readonly isError: boolean }
interface FunctionResult {
  readonly state: State
  readonly observation: Observation
}
/** A sentence after the name of a function that broke a limit. */
interface TooMuch {
  readonly tooMuch: string
  /** What the sandbox says of it, for the author alone. */
  readonly detail?: string
  readonly isLate?: true
}

/** When the clock of a task without one starts. */
const firstNow = Date.UTC(2026, 0, 1, 9)
/** Characters of a value that a step of the timeline keeps. */
const mostShown = 2_000
/** Calls with arguments that are too much, each of which can take seconds, until they end an episode. */
const mostExcesses = 3
/** What QuickJS says of lengths and depths, which are RangeErrors as others are. */
const sizeFault =
  /^(?:invalid (?:repeat count|(?:string|array|array buffer) length)|BigInt is too large(?: to allocate)?|Maximum call stack size exceeded)$/

const FunctionAnswer = z.tuple([z.string(), z.string(), z.string().nullable()])

/** One task of a world while it is played. */
export class WorldSimulation implements Simulation {
  readonly #world: PlayedWorld
  readonly #task: StoredWorldTask
  readonly #place: WorldPlace
  readonly #steps: Step[] = []
  /** Uses so far of each entry of a canned tool. */
  readonly #uses = new Map<object, number>()
  readonly #script: string[]
  readonly #said: Said[]
  /** Calls of tools that a model played. */
  readonly #simulated: SimulatedCall[] = []
  #state: State
  #calls = 0
  #errors = 0
  #excesses = 0
  #end: EpisodeEnd | null = null
  #error: string | null = null

  constructor(world: PlayedWorld, task: StoredWorldTask, place: WorldPlace) {
    this.#world = world
    this.#task = task
    this.#place = place
    this.#state = task.initial_state
    const { user, messages } = task
    // The first turn opened the conversation where nothing else did.
    this.#script = user.kind === 'scripted' ? user.turns.slice(messages.length > 0 ? 0 : 1) : []
    const opening = messages.length > 0 ? null : openingOf(user)
    this.#said = [
      ...messages.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }])),
      ...(opening === null ? [] : [{ role: 'user' as const, content: opening }]),
    ]
  }

  get over(): boolean {
    return this.#end !== null
  }

  get endedBy(): EpisodeEnd | null {
    return this.#end
  }

  beginTurn(turn: number): void {
    this.#steps.push({ turn, calls: [], changes: [] })
  }

  /** @throws WorldError */
  async act({ tool: name, arguments: given }: Action): Promise<string> {
    const tool = this.#world.tools.find(each => each.name === name)
    // The loop has reported unknown names already.
    if (!tool) return this.#told({ text: `There is no tool ${name}.`, isError: true })
    if (isDeeperThan(mostLevels, given))
      return this.#told({ text: `Error: the arguments are nested deeper than ${mostLevels} levels.`, isError: true })
    const { problems, entry } = await this.#match(tool, given)
    if (problems.length > 0)
      return this.#told({ text: `Error: the arguments of ${name} are not valid: ${problems.slice(0, 5).join('; ')}.`, isError: true })
    const { calls: mostCalls = worldLimits.calls } = this.#world.limits
    if (++this.#calls > mostCalls) {
      this.#end = 'call_limit'
      return 'Error: no further tool calls are allowed.'
    }
    try {
      const observation = await this.#use(tool, given, entry)
      this.#steps.at(-1)?.calls.push({ name, arguments: given, error: observation.isError, ...(isSimulated(tool) && { simulated: true }) })
      const { attack } = this.#task
      return this.#told(
        attack?.tool_text === undefined ? observation : { ...observation, text: `${observation.text}\n${attack.tool_text}` },
      )
    } catch (error) {
      this.#steps.at(-1)?.calls.push({ name, arguments: given, error: true })
      throw error
    }
  }

  async reply(answer: string): Promise<string | null> {
    const { user, expected } = this.#task
    const step = this.#steps.at(-1)
    if (step && expected.turns) step.answer = answer
    if (user.kind !== 'model') return this.#script.shift() ?? null
    this.#said.push({ role: 'assistant', content: answer })
    const { text, isEnd } = await askSimulatedUser(user, this.#world.user_model, this.#said, this.#place.askUser)
    if (isEnd) this.#end = 'user_stopped'
    this.#said.push({ role: 'user', content: text })
    return text === '' ? null : text
  }

  failed(message: string): void {
    this.#end = 'world_error'
    this.#error = message
  }

  state(): Readonly<Record<string, Json>> {
    // The state is JSON: it came with the task, or was read from JSON.
    return this.#state as Readonly<Record<string, Json>>
  }

  report() {
    const { user } = this.#task
    // Whoever grades the conversation sees what the simulated user was told.
    return { steps: this.#steps, world_error: this.#error, ...(user.kind === 'model' && { user }) }
  }

  #countExcess(): void {
    if (++this.#excesses >= mostExcesses) this.#end = 'tool_errors'
  }

  #told({ text, isError }: Observation): string {
    const { tool_errors: most } = this.#world.limits
    if (isError && ++this.#errors >= (most ?? Infinity)) this.#end = 'tool_errors'
    return text
  }

  /**
   * A model must not choose to be left without a verdict: arguments that are too much are its error, unless the tool's rules are too much
   * for none, too (decision 0186).
   * @throws WorldError
   */
  async #match(
    tool: WorldTool,
    given: Action['arguments'],
  ): Promise<{ readonly problems: readonly string[]; readonly entry: number | null }> {
    const open = resultsOf(tool.behavior).flatMap((entry, place) =>
      (entry.tasks === undefined || entry.tasks.includes(this.#place.taskId)) && (this.#uses.get(entry) ?? 0) < (entry.times ?? Infinity)
        ? [place]
        : [],
    )
    const match = (args: Action['arguments']) => this.#place.matchCall(callRules(tool), args, open)
    const matched = await match(given)
    if (!('tooMuch' in matched)) return matched
    const empty = await match({})
    if ('tooMuch' in empty) throw new WorldError(`The rules of the tool ${tool.name} cannot be checked: ${empty.tooMuch}`)
    this.#countExcess()
    return { problems: [matched.tooMuch], entry: null }
  }

  async #use(tool: WorldTool, given: Action['arguments'], entry: number | null): Promise<Observation> {
    const { name, behavior } = tool
    if (behavior.kind === 'function') return this.#call(name, behavior.source, given)
    if (isSimulated(tool)) return this.#simulate(tool, given)
    const found = entry === null ? undefined : resultsOf(behavior)[entry]
    if (!found)
      throw new WorldError(
        behavior.kind === 'mcp'
          ? `The cassette of ${name} has no call with the arguments ${shown(given)}. Record it with "assay world record".`
          : `The tool ${name} has no result for the arguments ${shown(given)}. Add one, or a last entry without arguments, which answers every other call.`,
      )
    this.#uses.set(found, (this.#uses.get(found) ?? 0) + 1)
    if (found.error !== undefined) return { text: `Error: ${found.error}`, isError: true }
    return { text: asText(found.result), isError: false }
  }

  async #simulate(tool: Parameters<typeof askSimulatedTool>[0], given: Action['arguments']): Promise<Observation> {
    const { call, ...observation } = await askSimulatedTool(tool, given, {
      state: this.#state,
      earlier: this.#simulated,
      model: this.#world.user_model,
      ask: this.#place.askUser,
    })
    this.#simulated.push(call)
    return observation
  }

  /**
   * As in `#match`: arguments at which a function needs or returns too much are the model's error, unless it does so without any, too: in the
   * state of the task, since the model may have filled the present one.
   * @throws WorldError
   */
  async #call(name: string, source: string, args: Action['arguments']): Promise<Observation> {
    const first = await this.#run(name, source, this.#state, args)
    // The time is that of a clock on the wall, and the machine may have been busy.
    const result = 'isLate' in first ? await this.#run(name, source, this.#state, args) : first
    if ('fault' in result) throw new WorldError(result.fault)
    if (!('tooMuch' in result)) {
      const changes = stateChanges(this.#state, result.state)
      this.#steps.at(-1)?.changes.push(...changes.map(cutChange))
      this.#state = result.state
      return result.observation
    }
    const { tooMuch, detail, isLate } = result
    if ('tooMuch' in (await this.#run(name, source, this.#task.initial_state, {})))
      throw new WorldError(`The function of ${name} ${tooMuch}${detail === undefined ? '' : ` ${detail}`}`)
    this.#countExcess()
    if (isLate) this.#end = 'time_limit'
    return { text: `Error: ${name} ${tooMuch} Call it with smaller arguments.`, isError: true }
  }

  /** @returns the world's own fault as a sentence @throws WorldError where the sandbox was lost */
  async #run(
    name: string,
    source: string,
    given: State,
    args: Action['arguments'],
  ): Promise<FunctionResult | TooMuch | { readonly fault: string }> {
    const start = this.#task.now === undefined ? firstNow : Date.parse(this.#task.now)
    const { taskId, epoch, callFunction } = this.#place
    const reply = await callFunction({
      source,
      state: given,
      args,
      now: start + (this.#calls - 1) * 1_000,
      seed: seedOf(`${taskId}\n${epoch}\n${this.#calls}`),
      timeoutMs: worldLimits.functionMs,
    })
    if (reply.kind === 'lost') throw new WorldError(`The sandbox of the tool ${name} was lost: ${reply.message}`)
    if (reply.kind === 'timeout') return { tooMuch: `took longer than ${worldLimits.functionMs / 1000} s and was stopped.`, isLate: true }
    if (reply.kind === 'ended') return { tooMuch: 'ended its sandbox.', detail: reply.detail }
    if (reply.kind === 'raised') {
      const { type, message } = reply
      // Without memory for an error, null is thrown.
      if (type === 'object' && message === 'null') return { tooMuch: 'ran out of memory.' }
      if (type === 'InternalError' || (type === 'RangeError' && sizeFault.test(message))) return { tooMuch: `threw ${type}: ${message}.` }
      return { fault: `The function of ${name} threw ${type}: ${message}` }
    }
    const parsed = FunctionAnswer.safeParse(reply.value)
    if (!parsed.success) return { fault: `The function of ${name} returned a state that is no JSON.` }
    const [stateText, resultText, error] = parsed.data
    const state = readJson('state', stateText, worldLimits.state)
    const result = error === null ? readJson('result', resultText, worldLimits.result) : { value: null }
    if ('tooMuch' in state) return state
    if ('tooMuch' in result) return result
    if (!isObject(state.value)) return { fault: `The state must be an object and is ${shown(state.value)}.` }
    const observation =
      error === null
        ? { text: asText(result.value), isError: false }
        : { text: `Error: ${error.slice(0, worldLimits.error).toWellFormed()}`, isError: true }
    return { state: state.value, observation }
  }
}

function readJson(what: 'state' | 'result', text: string, most: number): { readonly value: unknown } | TooMuch {
  if (text.length > most) return { tooMuch: `returned a ${what} of ${text.length} characters as JSON; at most ${most} are allowed.` }
  const value: unknown = JSON.parse(text)
  return isDeeperThan(mostLevels, value) ? { tooMuch: `returned a ${what} that is nested deeper than ${mostLevels} levels.` } : { value }
}

function cutChange({ path, before, after }: StateChange): StateChange {
  return { path, before: cutValue(before), after: cutValue(after) }
}

function cutValue(value: unknown): unknown {
  return (JSON.stringify(value)?.length ?? 0) > mostShown ? shown(value, mostShown) : value
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? 'null')
}

/** 32 bits of a text's SHA-256. */
function seedOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE(0)
}
