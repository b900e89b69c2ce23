import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { openSandboxes, reopenSandboxes, type SandboxReport } from '../engine/grading/sandbox/open-sandbox.ts'
import { findSandboxFiles } from '../engine/grading/sandbox/sandbox-files.ts'
import type { Sandboxes } from '../engine/grading/sandbox/sandbox.ts'
import { SandboxLostError } from '../engine/grading/sandbox/sandbox-process.ts'
import {
  createWorldFunctions,
  type WorldFunctionCall,
  type WorldFunctionReply,
  type WorldFunctions,
} from '../engine/grading/sandbox/world-functions.ts'
import type { ByLanguage, SandboxFiles, TierId } from '../engine/grading/sandbox/tier.ts'
import { messageOf } from '../lib/message-of.ts'
import type { MetricPlan } from '../engine/execution/scheduler/ports.ts'
import { prepareCodeScorer } from '../engine/grading/scorers/code/code-scorers.ts'
import type { Score, ScoreInput } from '../engine/grading/scorers/scorer.ts'
import { startInNode } from '../engine/grading/sandbox/locked-program.ts'
import { startByBroker } from './sandbox-broker.ts'

/** Requests to the thread that manages the sandboxed processes which run model-written code. */
export type CodeTask =
  | { readonly kind: 'examine' }
  | {
      readonly kind: 'grade'
      /** What an earlier examination has chosen. */
      readonly tiers: ByLanguage<TierId>
      readonly metrics: readonly MetricPlan[]
      readonly inputs: readonly ScoreInput[]
    }
  /** A call of a world's function. */
  | { readonly kind: 'world'; readonly tiers: ByLanguage<TierId>; readonly call: WorldFunctionCall }
  | { readonly kind: 'close' }

/** By input, then by metric. */
export type CodeAnswer = SandboxReport | readonly (readonly Score[])[] | WorldFunctionReply | null

/** `channel` is where processes are asked for that this thread cannot start itself; null where it can. */
const Data = z.object({ sandboxCache: z.string(), idleMs: z.number(), channel: z.string().nullable() })
const { sandboxCache, idleMs, channel } = Data.parse(workerData)
const start = channel === null ? startInNode : startByBroker(channel)
/** Faults that no task waits for go to the service as messages. */
const settings = { idleMs, tell: (error: unknown) => parentPort?.postMessage(messageOf(error)) }

let found: SandboxFiles | null = null
let sandboxes: Promise<Sandboxes> | null = null
let functions: WorldFunctions | null = null
/** Processes of world functions at a time. */
const functionPlaces = 2

/** What failed to open is opened again by the next task. */
function keep(opening: Promise<Sandboxes>): Promise<Sandboxes> {
  sandboxes = opening
  opening.catch(() => sandboxes === opening && (sandboxes = null))
  return opening
}

export default async function runCode(task: CodeTask): Promise<CodeAnswer> {
  if (task.kind === 'close') {
    const open = await sandboxes
    await Promise.all([open?.python?.close(), open?.javascript?.close(), functions?.close()])
    return null
  }
  const files = (found ??= findSandboxFiles(sandboxCache))
  if (task.kind === 'examine') {
    const opened = openSandboxes(files, { ...settings, start })
    await keep(opened.then(result => result.sandboxes))
    return (await opened).report
  }
  const places = await (sandboxes ?? keep(reopenSandboxes(files, task.tiers, { ...settings, start })))
  if (task.kind === 'world') {
    if (!places.javascript) return { kind: 'lost', message: 'This machine has no sandbox for JavaScript.' }
    functions ??= createWorldFunctions(places.javascript.tier, files.worldHarness, functionPlaces, settings)
    try {
      return await functions.call(task.call)
    } catch (error) {
      if (error instanceof SandboxLostError) return { kind: 'lost', message: error.message }
      throw error
    }
  }
  const graders = task.metrics.map(({ scorer, options }) => prepareCodeScorer({ scorer, options }, places))
  return Promise.all(task.inputs.map(input => Promise.all(graders.map(grade => grade(input)))))
}
