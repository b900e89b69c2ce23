import type { MessagePort } from 'node:worker_threads'
import type { CheckedWorld, TriedWorld, TryWorld } from '../contract/worlds/play.schemas.ts'
import type { WorldDefinition, WorldTask } from '../contract/worlds/worlds.schemas.ts'
import { type CallRules, type MatchCall, type MatchedCall, quickMatch } from '../engine/execution/environments/worlds/match-call.ts'
import type { CallWorldFunction, WorldFunctionCall, WorldFunctionReply } from '../engine/grading/sandbox/world-functions.ts'
import type { WorldOfTraces } from '../engine/importing/traces/world-of-traces.ts'
import type { PlainCall } from '../engine/importing/worlds/python-calls.ts'
import type { ImportedWorlds, WorldFile } from '../engine/importing/worlds/world-files.ts'
import { createBoundedPool, WorkLimitError } from './bounded-pool.ts'
import { converse } from './converse.ts'
import type worldsWorker from './worlds.worker.ts'

/** The part of a definition that cannot be used, and where it is. */
export interface WorldProblem {
  readonly path: (string | number)[]
  readonly message: string
}

type Played = Omit<WorldDefinition, 'tasks'>

export interface MatchTask {
  readonly kind: 'match'
  readonly rules: CallRules
  readonly given: Readonly<Record<string, unknown>>
  readonly open: readonly number[]
}
export interface SoundTask {
  readonly kind: 'sound'
  readonly tools: WorldDefinition['tools']
  readonly tasks: WorldDefinition['tasks']
  readonly policies?: NonNullable<WorldDefinition['policies']>
}
export interface DraftTask {
  readonly kind: 'draft'
  readonly title: string
  /** Each as JSON: 64 MB of texts are copied in a fraction of the time of the values in them. */
  readonly traces: readonly string[]
}
export interface ReplayTask {
  readonly kind: 'replay'
  readonly definition: Played
  readonly tasks: readonly WorldTask[]
  readonly port: MessagePort
}
export interface PlayTask {
  readonly kind: 'play'
  readonly definition: Played
  readonly task: WorldTask
  readonly epoch: number
  readonly moves: TryWorld['moves']
  readonly port: MessagePort
}
export interface ImportTask extends Roles {
  readonly kind: 'import'
  readonly title: string
  readonly files: readonly WorldFile[]
}
type Roles = Pick<WorldDefinition, 'user_model' | 'judge'>
/** A task that expects what its reference does when it is played. */
export interface ExpectTask {
  readonly kind: 'expect'
  readonly definition: Played
  readonly task: WorldTask
  readonly reference: readonly PlainCall[]
  readonly port: MessagePort
}
export type WorldsTask = ImportTask | ExpectTask | MatchTask | SoundTask | DraftTask | ReplayTask | PlayTask

/** Threads in which worlds of people are checked and played. @throws WorkLimitError where they are too much */
export interface WorldPool {
  problemOf(definition: Pick<WorldDefinition, 'tools' | 'tasks' | 'policies'>, signal: AbortSignal): Promise<WorldProblem | null>
  /** Of traces, or why there is none. */
  draft(task: Omit<DraftTask, 'kind'>, signal: AbortSignal): Promise<WorldOfTraces | string>
  /** Of files, or why there are none. */
  importFiles(task: Omit<ImportTask, 'kind'>, signal: AbortSignal): Promise<ImportedWorlds | string>
  /** The task with what its reference does, or why it can't be played. */
  expect(task: Omit<ExpectTask, 'kind' | 'port'>, signal: AbortSignal): Promise<WorldTask | string>
  /** Replays the references of some tasks. */
  replay(definition: Played, tasks: readonly WorldTask[], signal: AbortSignal): Promise<CheckedWorld['tasks']>
  play(task: Omit<PlayTask, 'kind' | 'port'>, signal: AbortSignal): Promise<TriedWorld>
  /** Never rejects for what the rules or arguments are. */
  readonly match: MatchCall
  close(): Promise<void>
}

/** Milliseconds that a part of what somebody waits for may take: the functions of a few dozen calls, or all schemas of a world. */
const shownMs = 60_000
/** The same for the arguments of one call in a run. */
const matchMs = 5_000
const heapMb = 1_024

export function createWorldPool(filename: string, callFunction: CallWorldFunction, limits = { shownMs, matchMs, heapMb }): WorldPool {
  const bounds = { filename, threads: 1, idleMs: 5_000, heapMb: limits.heapMb }
  const shown = createBoundedPool({ ...bounds, deadlineMs: limits.shownMs })
  // Somebody who checks or tries a world does not wait for files and traces of others.
  const drafts = createBoundedPool({ ...bounds, deadlineMs: limits.shownMs })
  // Runs do not wait for what somebody tries.
  const matches = createBoundedPool({ ...bounds, deadlineMs: limits.matchMs })
  const talk = <Answer extends Awaited<ReturnType<typeof worldsWorker>>>(
    task: Omit<ExpectTask, 'port'> | Omit<ReplayTask, 'port'> | Omit<PlayTask, 'port'>,
    signal: AbortSignal,
  ) => converse<WorldFunctionCall, WorldFunctionReply, Answer>(shown, { ...task }, callFunction, { signal, isBeating: false })
  return {
    problemOf: (definition, signal) => shown.run<typeof worldsWorker, WorldProblem | null>({ kind: 'sound', ...definition }, { signal }),
    draft: (task, signal) => drafts.run<typeof worldsWorker, WorldOfTraces | string>({ kind: 'draft', ...task }, { signal }),
    importFiles: (task, signal) => drafts.run<typeof worldsWorker, ImportedWorlds | string>({ kind: 'import', ...task }, { signal }),
    expect: (task, signal) => talk({ kind: 'expect', ...task }, signal),
    replay: (definition, tasks, signal) => talk({ kind: 'replay', definition, tasks }, signal),
    play: (task, signal) => talk({ kind: 'play', ...task }, signal),
    match: async (rules, given, open) => {
      const quick = quickMatch(rules, given, open)
      if (quick) return quick
      try {
        return await matches.run<typeof worldsWorker, MatchedCall>({ kind: 'match', rules, given, open })
      } catch (error) {
        if (!(error instanceof WorkLimitError)) throw error
        return { tooMuch: error.message }
      }
    },
    close: async () => {
      await Promise.all([shown, drafts, matches].map(pool => pool.close()))
    },
  }
}
