import { workerData } from 'node:worker_threads'
import { z } from 'zod'
import { openSandbox, type SandboxReport } from '../engine/sandbox/open-sandbox.ts'
import { findSandboxFiles } from '../engine/sandbox/sandbox-files.ts'
import type { MetricPlan } from '../engine/scheduler/ports.ts'
import { prepareCodeScorer } from '../engine/scorers/code/code-scorers.ts'
import type { Score, ScoreInput } from '../engine/scorers/scorer.ts'

/** What the thread that runs model-written code is asked. It does not run it itself: it keeps the sandboxed processes that do. */
export type CodeTask =
  | { readonly kind: 'examine' }
  | { readonly kind: 'grade'; readonly metrics: readonly MetricPlan[]; readonly inputs: readonly ScoreInput[] }
  | { readonly kind: 'close' }

/** By input, then by metric. */
export type CodeAnswer = SandboxReport | readonly (readonly Score[])[] | null

const Data = z.object({ sandboxCache: z.string() })

let opened: ReturnType<typeof openSandbox> | null = null

export default async function runCode(task: CodeTask): Promise<CodeAnswer> {
  if (task.kind === 'close') {
    const sandbox = opened && (await opened).sandbox
    await sandbox?.close()
    return null
  }
  opened ??= openSandbox(findSandboxFiles(Data.parse(workerData).sandboxCache))
  const { report, sandbox } = await opened
  if (task.kind === 'examine') return report
  const graders = task.metrics.map(({ scorer, options }) => prepareCodeScorer({ scorer, options }, sandbox))
  return Promise.all(task.inputs.map(input => Promise.all(graders.map(grade => grade(input)))))
}
