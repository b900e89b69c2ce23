import { workerData } from 'node:worker_threads'
import { z } from 'zod'
import { openSandbox, reopenSandbox, type SandboxReport } from '../engine/sandbox/open-sandbox.ts'
import { findSandboxFiles } from '../engine/sandbox/sandbox-files.ts'
import type { Sandbox } from '../engine/sandbox/sandbox.ts'
import type { TierId } from '../engine/sandbox/tier.ts'
import type { MetricPlan } from '../engine/scheduler/ports.ts'
import { prepareCodeScorer } from '../engine/scorers/code/code-scorers.ts'
import type { Score, ScoreInput } from '../engine/scorers/scorer.ts'

/** What the thread that runs model-written code is asked. It does not run it itself: it keeps the sandboxed processes that do. */
export type CodeTask =
  | { readonly kind: 'examine' }
  | {
      readonly kind: 'grade'
      /** What an earlier examination has chosen; null where there is nothing to run code in. */
      readonly tier: TierId | null
      readonly metrics: readonly MetricPlan[]
      readonly inputs: readonly ScoreInput[]
    }
  | { readonly kind: 'close' }

/** By input, then by metric. */
export type CodeAnswer = SandboxReport | readonly (readonly Score[])[] | null

const Data = z.object({ sandboxCache: z.string() })

let sandbox: Promise<Sandbox | null> | null = null

export default async function runCode(task: CodeTask): Promise<CodeAnswer> {
  if (task.kind === 'close') {
    await (await sandbox)?.close()
    return null
  }
  const files = findSandboxFiles(Data.parse(workerData).sandboxCache)
  if (task.kind === 'examine') {
    const opened = openSandbox(files)
    sandbox = opened.then(result => result.sandbox)
    return (await opened).report
  }
  sandbox ??= task.tier === null ? Promise.resolve(null) : reopenSandbox(files, task.tier)
  const place = await sandbox
  const graders = task.metrics.map(({ scorer, options }) => prepareCodeScorer({ scorer, options }, place))
  return Promise.all(task.inputs.map(input => Promise.all(graders.map(grade => grade(input)))))
}
