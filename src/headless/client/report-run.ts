import { appendFile } from 'node:fs/promises'
import type { Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import type { RunConfig } from '../../contract/run-config/run-config.schemas.ts'
import type { Results } from '../../contract/runs/results.schemas.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { profileTitle } from '../../engine/reporting/report/page/result-names.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { formatEstimate } from '../../lib/format/percent.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { exitCodeOfGates, judgeGates } from './gates.ts'
import { runIdOf } from './resolve-run.ts'
import type { Session } from './session.ts'
import { type Flip, runSummary } from './summary.ts'

export interface ReportOptions {
  readonly gates: RunConfig['gates']
  /** Where the JUnit file goes. */
  readonly junit?: string | undefined
}

const listedFlips = 20

/** Shows the result of an ended run, judges its gates and says how the command ends. */
export async function reportRun(session: Session, run: Run, { gates, junit }: ReportOptions): Promise<ExitCode> {
  const { client, out } = session
  const params = { run_id: run.id }
  const results = await client.call('getRunResults', { params })
  if (junit !== undefined) await client.download(`/v1/runs/${run.id}/exports/junit`, junit)
  const comparison = gates.baseline === undefined ? null : await compareWith(session, run, gates.baseline)
  const flips = comparison === null ? [] : await flipsOf(session, comparison)
  const verdicts = judgeGates(results, comparison, gates)
  out.body(results)
  showResults(session, results)
  for (const { verdict, text } of verdicts) out.line(out.mark(verdict, `${labels[verdict]}  ${text}`))
  const summaryFile = process.env['GITHUB_STEP_SUMMARY']
  if (summaryFile) await appendFile(summaryFile, runSummary({ results, comparison, flips, verdicts }))
  // With `--json` the verdicts go beside the body, which is the API's own.
  if (out.json) for (const { verdict, text } of verdicts) out.note(`${labels[verdict]}  ${text}`)
  return verdicts.length > 0 ? exitCodeOfGates(verdicts) : exitCodeOfRun(run)
}

const labels = { pass: 'PASS   ', fail: 'FAIL   ', unclear: 'UNCLEAR' } as const

function exitCodeOfRun({ status }: Run): ExitCode {
  if (status === 'complete') return exitCodes.passed
  return status === 'cancelled' ? exitCodes.error : exitCodes.inconclusive
}

/** The headline of a result, a line for each metric. */
export function showResults({ client, out, ephemeral }: Session, results: Results): void {
  const { run_id: id, name, status, metrics, coverage, billing, stop_reason: reason } = results
  out.line(`${name}: ${status}, ${coverage.scored} of ${coverage.frozen} samples scored, ${formatUsd(billing.charged_microusd)} charged`)
  out.table(
    ['PROFILE', 'METRIC', 'SCORE', 'UNSCORED'],
    metrics.map(({ profile_id, metric, estimate, unscored }) => [
      profileTitle(results, profile_id),
      metric,
      formatEstimate(estimate),
      String(unscored),
    ]),
  )
  if (reason !== null) out.line(`Stopped: ${reason.message}`)
  if (!ephemeral) out.note(client.pageUrl(`/runs/${id}`))
}

async function compareWith({ client }: Session, run: Run, name: string): Promise<Comparison> {
  const baseline = await runIdOf(client, name)
  return client.call('createComparison', {
    body: { name: `${run.name} against its baseline`.slice(0, 200), run_ids: [baseline, run.id], baseline_id: baseline },
  })
}

async function flipsOf({ client }: Session, { id }: Comparison): Promise<Flip[]> {
  const flips: Flip[] = []
  for (const change of ['lost', 'gained'] as const) {
    const page = await client.call('listComparedTasks', { params: { comparison_id: id }, query: { change, limit: listedFlips } })
    flips.push(...page.items.map(({ task_id }) => ({ change, taskId: task_id })))
  }
  return flips
}
