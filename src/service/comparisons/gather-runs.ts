import type { NewComparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { ApiError, invalidField } from '../../contract/errors.ts'
import type { NoticeCode } from '../../contract/runs/call-notes.ts'
import { selectedOnOwnResults } from '../../contract/runs/results.schemas.ts'
import type { RunFrame } from '../../engine/reporting/comparisons/run-frame.ts'
import type { Evaluations } from '../evaluations/index.ts'
import type { Runs } from '../runs/index.ts'

/** Notices of a result by which its score is not the requested model’s alone, or not of the whole prompts. */
const doubted: ReadonlySet<string> = new Set([selectedOnOwnResults, 'model_differs', 'prompt_truncated'] satisfies (
  | NoticeCode
  | typeof selectedOnOwnResults
)[])

/** The runs of a request with what their latest results say of them, the baseline first. Each that cannot be compared is named. */
export function gatherRuns(runs: Runs, evaluations: Evaluations, workspaceId: string, { run_ids, baseline_id }: NewComparison): RunFrame[] {
  const asked = run_ids.map(id => id.toLowerCase())
  const baseline = baseline_id.toLowerCase()
  if (!asked.includes(baseline)) throw invalidField(['body', 'baseline_id'], 'must be one of run_ids')
  const frames = asked.map(id => frameOf(runs, evaluations, workspaceId, id))
  const at = frames.findIndex((frame, i) => frames.findIndex(other => other.runId === frame.runId) < i)
  const twice = frames[at]
  if (twice) throw invalidField(['body', 'run_ids', at], `"${twice.name}" is there twice; a run cannot be compared with itself`)
  return frames.sort((a, b) => Number(b.asked === baseline) - Number(a.asked === baseline))
}

function frameOf(runs: Runs, evaluations: Evaluations, workspaceId: string, id: string): RunFrame {
  const evaluated = evaluations.runOf(workspaceId, id)
  const run = runs.read(workspaceId, evaluated ?? id)
  if (run.result_version === null) {
    throw new ApiError('result_not_ready', `"${run.name}" is ${run.status} and has no result to compare yet. Retry when it has ended.`)
  }
  const { result_version, reproducibility, status, notices } = runs.results(workspaceId, run.id, run.result_version)
  return {
    asked: id,
    kind: evaluated === null ? 'run' : 'evaluation',
    runId: run.id,
    resultVersion: result_version,
    samplesDigest: reproducibility.samples_digest,
    name: run.name,
    status,
    model: reproducibility.model,
    profiles: reproducibility.profiles,
    execution: reproducibility.execution,
    biases: notices.filter(({ code }) => doubted.has(code)),
  }
}
