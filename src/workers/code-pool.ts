import type { SandboxReport } from '../engine/grading/sandbox/open-sandbox.ts'
import type { TellFault } from '../engine/grading/sandbox/sandbox.ts'
import type { CallWorldFunction } from '../engine/grading/sandbox/world-functions.ts'
import type { GradedInput, GradedRun, MetricPlan, ScoreBatch } from '../engine/execution/scheduler/ports.ts'
import { codeScorers } from '../engine/grading/scorers/code/code-scorers.ts'
import type { Score, ScoreInput } from '../engine/grading/scorers/scorer.ts'
import type { CodeTask } from './code.worker.ts'
import type { StartNodeProcess } from './node-process.ts'
import { openSandboxBroker } from './sandbox-broker.ts'
import { createThreads } from './threads.ts'
import { workerFile } from './worker-file.ts'

/** The thread that keeps the sandboxed processes. */
export interface CodePool {
  /** What this machine can shut model-written code in with. Found out at the first question, which takes a second or more. */
  sandbox(): Promise<SandboxReport>
  /** By input, then by metric. */
  grade(metrics: readonly MetricPlan[], inputs: readonly ScoreInput[]): Promise<readonly (readonly Score[])[]>
  /** Calls a world's function. */
  callFunction: CallWorldFunction
  close(): Promise<void>
}

interface CodePoolOptions {
  readonly filename: string
  /** Folder that the portable tier keeps its snapshot in. */
  readonly sandboxCache: string
  /** Milliseconds after which unused processes are ended. */
  readonly idleMs?: number
  /** Starts Node where this program is not a Node that could be started again; null where it is. */
  readonly startProcess?: StartNodeProcess | null
  /** Told what fails while unused processes are ended. */
  readonly tell?: TellFault
}

export function createCodePool({
  filename,
  sandboxCache,
  idleMs = 20_000,
  startProcess = null,
  tell = () => undefined,
}: CodePoolOptions): CodePool {
  const broker = startProcess && openSandboxBroker(startProcess, workerFile('sandbox-relay.worker'))
  // One thread: other processes do the work, and a second thread would start a second sandbox.
  const pool = createThreads({
    filename,
    minThreads: 0,
    maxThreads: 1,
    concurrentTasksPerWorker: 256,
    // A thread that blocks while it has nothing to do could neither end its unused processes nor wait for them.
    atomics: 'disabled',
    // It ends after its processes did: what is still there then would have nothing left that waits for it, and stay defunct.
    idleTimeout: idleMs + 10_000,
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 2_048 },
    workerData: { sandboxCache, idleMs, channel: broker?.channel ?? null },
  })
  pool.on('message', tell)
  let report: Promise<SandboxReport> | null = null
  const run = <Answer>(task: CodeTask): Promise<Answer> => pool.run(task)
  const sandbox = () => {
    const found = (report ??= run<SandboxReport>({ kind: 'examine' }))
    // Who asks after a check that failed has it made again.
    found.catch(() => report === found && (report = null))
    return found
  }
  return {
    sandbox,
    grade: async (metrics, inputs) => {
      const { python, javascript } = (await sandbox()).chosen
      return run({ kind: 'grade', tiers: { python: python?.id ?? null, javascript: javascript?.id ?? null }, metrics, inputs })
    },
    callFunction: async call => {
      const { python, javascript } = (await sandbox()).chosen
      return run({ kind: 'world', tiers: { python: python?.id ?? null, javascript: javascript?.id ?? null }, call })
    },
    close: async () => {
      if (pool.threads.length > 0) await run({ kind: 'close' })
      await pool.destroy()
      broker?.close()
    },
  }
}

/**
 * Grades outputs by running them, on this machine or on another. By input, then by metric.
 * @param run that the outputs are of; absent where they are of none
 */
export type CodeGrader = (
  metrics: readonly MetricPlan[],
  inputs: readonly GradedInput[],
  run?: GradedRun,
) => Promise<readonly (readonly Score[])[]>

/** Grades by `grade` what has to be run, and by `pure` everything else. */
export function withCode(pure: ScoreBatch, grade: CodeGrader): ScoreBatch {
  return async (metrics, inputs, run) => {
    const needsCode = metrics.map(metric => codeScorers.has(metric.scorer))
    if (!needsCode.includes(true)) return pure(metrics, inputs)
    const [rows, ran] = await Promise.all([
      pure(
        metrics.filter((_, i) => !needsCode[i]),
        inputs,
      ),
      grade(
        metrics.filter((_, i) => needsCode[i]),
        inputs,
        run,
      ),
    ])
    return rows.map(({ scores, tokens }, row) => {
      const left = { pure: scores.values(), ran: (ran[row] ?? []).values() }
      return { tokens, scores: needsCode.flatMap(isCode => (isCode ? left.ran : left.pure).next().value ?? []) }
    })
  }
}
