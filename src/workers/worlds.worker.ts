import type { MessagePort } from 'node:worker_threads'
import { once } from 'node:events'
import { expectedCalls, type WorldTask } from '../contract/worlds/worlds.schemas.ts'
import { contentText } from '../contract/messages/message-text.ts'
import type { CheckedWorld, TriedWorld } from '../contract/worlds/play.schemas.ts'
import {
  callMatcher,
  type CallRules,
  type MatchCall,
  type MatchedCall,
  resultsOf,
} from '../engine/execution/environments/worlds/match-call.ts'
import { playMoves, type PlayedMoves } from '../engine/execution/environments/worlds/play-moves.ts'
import { playedReference } from '../engine/execution/environments/worlds/world-family.ts'
import { readEpisode } from '../engine/execution/samples/read-episode.ts'
import type { WorldFunctionCall, WorldFunctionReply } from '../engine/grading/sandbox/world-functions.ts'
import { ScorerConfigError } from '../engine/grading/scorers/config-error.ts'
import { gradeOne } from '../engine/grading/scorers/registry.ts'
import { compileSchema } from '../engine/grading/scorers/text/json-schema.ts'
import { checkRule } from '../engine/grading/worlds/check-policies.ts'
import { argumentCheck } from '../engine/grading/worlds/match-arguments.ts'
import { isDeeperThan, mostLevels } from '../engine/grading/worlds/json-values.ts'
import { worldScorerId } from '../engine/grading/worlds/world.scorer.ts'
import type { RecordedTrace } from '../engine/importing/traces/recorded-task.ts'
import { type WorldOfTraces, worldOfTraces } from '../engine/importing/traces/world-of-traces.ts'
import { expectReference } from '../engine/importing/worlds/expect-reference.ts'
import { type ImportedWorlds, worldsOfFiles } from '../engine/importing/worlds/world-files.ts'
import { worldTask } from '../engine/tasks/world-task.ts'
import type { DraftTask, ExpectTask, MatchTask, PlayTask, ReplayTask, SoundTask, WorldProblem, WorldsTask } from './world-pool.ts'

type Answers = MatchedCall | WorldProblem | null | CheckedWorld['tasks'] | TriedWorld | WorldOfTraces | ImportedWorlds | WorldTask | string

/** Plays and checks worlds that people make: their schemas, patterns and scorers run here, and not on the service's thread. */
export default function worlds(task: WorldsTask): Answers | Promise<Answers> {
  if (task.kind === 'match') return match(task)
  if (task.kind === 'sound') return problemOf(task)
  if (task.kind === 'draft') return draft(task)
  if (task.kind === 'import') return orReason(() => worldsOfFiles(task.title, task.files, task))
  if (task.kind === 'expect') return expectPlayed(task)
  return task.kind === 'replay' ? replay(task) : play(task)
}

/** Compiling rules takes as long as dozens of calls, and a run has the same few tools. */
const matchers = new Map<string, ReturnType<typeof callMatcher>>()
const mostMatchers = 64

function match({ rules, given, open }: MatchTask): MatchedCall {
  return matcherOf(rules)(given, open)
}

function matcherOf(rules: CallRules): ReturnType<typeof callMatcher> {
  const key = JSON.stringify(rules)
  const known = matchers.get(key)
  if (known) return known
  if (matchers.size >= mostMatchers) matchers.clear()
  const made = callMatcher(rules)
  matchers.set(key, made)
  return made
}

function problemOf({ tools, tasks, policies = [] }: SoundTask): WorldProblem | null {
  for (const [i, { parameters, behavior }] of tools.entries()) {
    const at = ['tools', i]
    if (parameters['type'] !== 'object') return { path: [...at, 'parameters'], message: 'must be a JSON Schema of type "object"' }
    const found = faultOf([...at, 'parameters'], () => compileSchema(parameters))
    if (found) return found
    for (const [j, { arguments: rules }] of resultsOf(behavior).entries()) {
      const wrong = rules && faultOf([...at, 'behavior', 'results', j, 'arguments'], () => argumentCheck(rules, 'any'))
      if (wrong) return wrong
    }
  }
  for (const [i, rule] of policies.entries()) {
    const wrong = faultOf(['policies', i, 'broken_by'], () => checkRule(rule))
    if (wrong) return wrong
  }
  for (const [i, { initial_state: state, expected }] of tasks.entries()) {
    if (isDeeperThan(mostLevels, state) || isDeeperThan(mostLevels, expected))
      return { path: ['tasks', i], message: `must not be nested deeper than ${mostLevels} levels` }
    for (const { arguments: rules } of expectedCalls(expected)) {
      const wrong = rules && faultOf(['tasks', i, 'expected', 'calls'], () => argumentCheck(rules, 'absent'))
      if (wrong) return wrong
    }
  }
  return null
}

function faultOf(path: (string | number)[], make: () => unknown): WorldProblem | null {
  try {
    make()
    return null
  } catch (error) {
    if (error instanceof ScorerConfigError) return { path, message: error.message }
    throw error
  }
}

/** A world of traces, or why there is none. */
const draft = ({ title, traces }: DraftTask): WorldOfTraces | string => {
  // The service has just written them.
  const recorded = traces.map((text): RecordedTrace => JSON.parse(text))
  return orReason(() => worldOfTraces(title, recorded))
}

function orReason<Made>(make: () => Made): Made | string {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // Arguments and results are JSON in texts, which were not looked into before.
    return /call stack/i.test(error.message)
      ? `holds JSON that is nested too deep to be read; at most ${mostLevels} levels are kept`
      : error.message
  }
}

async function expectPlayed({ definition, task, reference, port }: ExpectTask): Promise<WorldTask | string> {
  const moves = reference.map(({ name, arguments: given }) => ({ calls: [{ name, arguments: { ...given } }] }))
  const played = await playMoves({ definition, task: worldTask(task, definition), epoch: 1, moves, callFunction: asking(port), matchCall })
  const episode = readEpisode({ metrics: [{ scorer: worldScorerId }] }, JSON.stringify(played.episode))
  if (!episode || episode.world_error !== null) return `its reference could not be played: ${episode?.world_error ?? 'it has no calls'}`
  return expectReference(task, reference, episode, definition.tools)
}

async function replay({ definition, tasks, port }: ReplayTask): Promise<CheckedWorld['tasks']> {
  const checked: CheckedWorld['tasks'] = []
  for (const task of tasks) {
    const { reference } = task
    if (!reference) {
      checked.push({ task_id: task.id, status: 'no_reference', explanation: 'The task has no reference to replay.' })
      continue
    }
    const moves = playedReference(task, reference)
    const stored = worldTask(task, definition)
    const played = await playMoves({ definition, task: stored, epoch: 1, moves, callFunction: asking(port), matchCall })
    const { value, explanation } = verdictOf(played, stored.metadata)
    const status = value === null ? 'world_error' : value >= 1 ? 'passed' : 'failed'
    const told = status === 'failed' ? toolErrors(played).slice(0, 3) : []
    checked.push({ task_id: task.id, status, explanation: [explanation, ...told].join(' ') })
  }
  return checked
}

/** What tools told the caller of its errors, each at most 300 characters. */
function toolErrors({ episode }: PlayedMoves): string[] {
  const told = (episode?.messages ?? []).flatMap(({ role, content }) => (role === 'tool' ? [contentText(content)] : []))
  return told.filter(text => text.startsWith('Error: ')).map(text => text.slice(0, 300))
}

async function play({ definition, task, epoch, moves, port }: PlayTask): Promise<TriedWorld> {
  const stored = worldTask(task, definition)
  const played = await playMoves({ definition, task: stored, epoch, moves, callFunction: asking(port), matchCall })
  const { episode, isOver } = played
  return {
    ended: isOver,
    opening: played.opening.flatMap(message =>
      message.role === 'tool' || 'toolCalls' in message ? [] : [{ role: message.role, content: contentText(message.content) }],
    ),
    episode: episode && readEpisode({ metrics: [{ scorer: worldScorerId }] }, JSON.stringify(episode)),
    verdict: isOver ? verdictOf(played, stored.metadata) : null,
  }
}

function verdictOf({ episode }: PlayedMoves, metadata: Readonly<Record<string, unknown>>): { value: number | null; explanation: string } {
  const { value, explanation } = gradeOne({ scorer: worldScorerId }, { output: JSON.stringify(episode), targets: [], metadata })
  return { value, explanation }
}

const matchCall: MatchCall = (rules, given, open) => Promise.resolve(matcherOf(rules)(given, open))

/** The sandbox is in another thread: the service passes calls on. */
function asking(port: MessagePort): (call: WorldFunctionCall) => Promise<WorldFunctionReply> {
  return async call => {
    port.postMessage(call)
    const [reply] = await once(port, 'message')
    return reply as WorldFunctionReply // answered by `converse` of the world pool
  }
}
