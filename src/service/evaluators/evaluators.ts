import type { Limiters } from '../../engine/execution/scheduler/limiters.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Connections } from '../connections/index.ts'
import type { Datasets } from '../datasets/index.ts'
import type { Jobs } from '../jobs/index.ts'
import type { Kernel } from '../kernel.ts'
import type { NetworkLog } from '../network/index.ts'
import { createCalibrations } from './calibrations.service.ts'
import { createDatasetBenchmarks, type KeptMedia } from './dataset-benchmarks.service.ts'
import { createDrafts } from './drafts.service.ts'
import { createEvaluatorRecords } from './evaluators.service.ts'
import type { JudgeOwner } from './judge-budgets.store.ts'
import { evaluationPause } from './open-evaluation.ts'
import { createOutputGraders } from './grade-outputs.ts'
import { createRunEvaluators } from './run-evaluators.service.ts'
import { createPromptWriters } from './prompt-writers.ts'
import { createJudgeTrials } from './judge-trial.ts'
import { createRemoteScorers } from './remote-scorers.service.ts'

export type Evaluators = ReturnType<typeof createEvaluators>

export interface EvaluatorsParts {
  readonly connections: Connections
  readonly datasets: Datasets
  readonly jobs: Jobs
  /** Shared with runs. */
  readonly limiters: Limiters
  readonly media: KeptMedia
  readonly network: NetworkLog
  readonly workers: Workers
}

/** Evaluators with their drafts, calibrations and remote scorers. */
export function createEvaluators(kernel: Kernel, { network, ...parts }: EvaluatorsParts) {
  const remoteScorers = createRemoteScorers(kernel, network)
  const records = createEvaluatorRecords(kernel, { ...parts, remoteScorers })
  return {
    /** What the judges, scorers and writers of a piece of work wait for. */
    pause: (owner: Pick<JudgeOwner, 'kind' | 'id'>) => evaluationPause(kernel, parts, owner),
    records,
    benchmarks: createDatasetBenchmarks(kernel, { ...parts, records }),
    remoteScorers,
    runs: createRunEvaluators(kernel, { ...parts, records, remoteScorers }),
    outputs: createOutputGraders(kernel, { ...parts, records, remoteScorers }),
    writers: createPromptWriters(kernel, { ...parts, remoteScorers }),
    tryOn: createJudgeTrials(kernel, { ...parts, records, remoteScorers }),
    drafts: createDrafts(kernel, { ...parts, remoteScorers }),
    calibrations: createCalibrations(kernel, { ...parts, records, remoteScorers }),
  }
}
