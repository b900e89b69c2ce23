import { NewComparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { isTerminal } from '../../contract/machine.ts'
import { ExecutionSettings } from '../../contract/quotes/quotes.schemas.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { definedOf } from '../../lib/defined-of.ts'
import type { Kernel } from '../kernel.ts'
import { providerBound, providerHold } from '../runs/index.ts'
import { judgeDifference } from './judge-occurrence.ts'
import type { ExactSelection } from '../quotes/index.ts'
import type { MonitorsDependencies } from './monitors-dependencies.ts'
import { baselineOf, type MonitorRow, requestOf, targetOf } from './monitors.store.ts'
import { failedBecause, type Finding, Skip, type Spent, spentBy, type Work } from './occurrence-work.ts'
import { endedOrGivenUp } from './stalled-runs.ts'
import { changeOccurrence, type OccurrenceRow } from './occurrences.store.ts'

/** An event: the benchmark is run again and compared with the baseline, case by case. */
export function createBenchmarkRunner(kernel: Kernel, { catalog, quotes, runs, comparisons }: MonitorsDependencies) {
  const { db } = kernel

  /** The run of an occurrence: its key makes it one, however often the service is killed. */
  const submitted = async ({ job, occurrence, monitor, cap, begin }: Work): Promise<string> => {
    const quoteId = occurrence.quote_id ?? (await quoted(monitor, cap))
    const { cost, compatibility } = quotes.read(monitor.workspace_id, quoteId)
    if (compatibility.status === 'incompatible') {
      const failed = compatibility.checks.filter(({ status }) => status === 'fail').map(({ detail }) => detail)
      throw failedBecause(`The benchmark cannot be run: ${failed.join(' ')}`)
    }
    const bound = BigInt(cost.upper_bound_microusd)
    // A run that could not ask every case would compare another thing.
    if (occurrence.status === 'accepted' && bound > cap) throw new Skip('cap_reached')
    const { max_provider_billed_microusd: maxBilled } = requestOf(monitor)
    const billable = providerHold(maxBilled === undefined ? null : BigInt(maxBilled), providerBound({ cost }))
    // Together: what is refused has not begun.
    return job.commit(() => {
      begin(bound + (billable ?? 0n), () => changeOccurrence(db, occurrence.id, { quote_id: quoteId }))
      const { run } = runs.submit({
        workspaceId: monitor.workspace_id,
        principalId: job.owner.kind === 'service' ? '' : job.owner.id,
        scope: 'tuning:write',
        operationKey: occurrence.id,
        quoteId,
        name: monitor.name,
      })
      changeOccurrence(db, occurrence.id, { run_id: run.id })
      return run.id
    })
  }
  const quoted = async (monitor: MonitorRow, cap: bigint): Promise<string> => {
    const { model, effort, prompt } = targetOf(monitor)
    const { max_provider_billed_microusd: billed = null } = requestOf(monitor)
    const { top_p, model_seed, stop, temperature, max_output_tokens, system_prompt, prompt_template } = runs.read(
      monitor.workspace_id,
      baselineOf(monitor).run_id,
    ).execution
    const quote = await quotes.createExact(monitor.workspace_id, {
      model,
      selections: [await comparableTasks(monitor, prompt?.profile_id ?? monitor.profile_id)],
      max_charge_microusd: String(cap),
      execution: ExecutionSettings.parse({
        effort,
        temperature,
        max_output_tokens,
        ...definedOf({ top_p, model_seed, stop, ...(!prompt && { system_prompt, prompt_template }) }),
        max_provider_billed_microusd: billed,
        evaluators: monitor.evaluator_version_id === null || !hasEvaluator(monitor) ? [] : [monitor.evaluator_version_id],
      }),
    })
    return quote.id
  }
  /** What the check is compared on: the tasks that the baseline has a score for. Any other would be paid for and left out. */
  const comparableTasks = async (monitor: MonitorRow, profileId: string): Promise<ExactSelection> => {
    const { workspace_id: workspaceId } = monitor
    await catalog.ready(workspaceId, [profileId])
    const entry = catalog.profile(workspaceId, profileId)
    if (!entry?.version) throw failedBecause(`The benchmark profile "${profileId}" has no data.`)
    const { status, reasons } = entry.profile.quote_availability
    if (status !== 'ready_for_quote') throw failedBecause(`The benchmark cannot be run: ${reasons.join(' ')}`)
    const scored = runs.gated.scoredTasks(workspaceId, baselineOf(monitor).run_id)
    const tasks = catalog.taskIds(entry.version.no, entry.definition).filter(({ no }) => scored.has(no))
    if (tasks.length === 0) throw failedBecause(`The baseline has no scored task of the benchmark profile "${profileId}".`)
    return { entry, version: entry.version, tasks }
  }
  /** Before a call is made for a comparison that can't be. */
  const requireBaseline = (monitor: MonitorRow): void => {
    const { run_id: runId } = baselineOf(monitor)
    if (runs.gated.state(monitor.workspace_id, runId) === null)
      throw failedBecause(`The baseline of the monitor, the run "${runId}", was deleted. Create a monitor with another baseline.`)
  }
  /** Whether the baseline's run was graded by the monitor's evaluator, so that the new one must be, too. */
  const hasEvaluator = (monitor: MonitorRow): boolean => {
    const { metrics } = runs.results(monitor.workspace_id, baselineOf(monitor).run_id, undefined)
    return metrics.some(({ evaluator }) => evaluator?.evaluator_version_id === monitor.evaluator_version_id)
  }

  return {
    execute: async (work: Work): Promise<() => Finding> => {
      const { job, occurrence, monitor } = work
      const workspaceId = monitor.workspace_id
      requireBaseline(monitor)
      const runId = occurrence.run_id ?? (await submitted(work))
      await endedOrGivenUp(kernel, runs, workspaceId, runId, job.signal)
      job.signal.throwIfAborted()
      const run = runs.read(workspaceId, runId)
      // A run that did not ask every case would compare another thing.
      if (run.result_version === null || run.status === 'failed' || run.status === 'cancelled' || run.progress.missing > 0)
        throw failedBecause(
          `The benchmark run ${run.status === 'failed' ? 'failed' : `ended as ${run.status}`}${run.stop_reason ? `: ${run.stop_reason.message}` : '.'}`,
        )
      const { margin, confidence } = requestOf(monitor)
      const { run_id: baselineId } = baselineOf(monitor)
      const { differences } = await comparisons.compute(
        workspaceId,
        NewComparison.parse({
          name: monitor.name,
          run_ids: [baselineId, runId],
          baseline_id: baselineId,
          options: { level: confidence, accept_different_prompts: true },
        }),
      )
      const found = differences.find(({ headline }) => headline)
      if (!found) throw failedBecause('The run and the baseline have no case in common.')
      const { difference, interval, n, reason } = found
      const judgment = judgeDifference(interval, margin, reason ?? 'The difference has no interval.')
      return () => ({
        verdict: judgment.verdict,
        changes: {
          reason: judgment.reason,
          n,
          unscored: Math.max(0, selectedTasks(run) - n),
          difference: interval === null || difference === null ? null : JSON.stringify({ estimate: difference, ...interval }),
          ...spentOn(run),
          held_microusd: 0,
        },
      })
    },
    /** Ends the run of an occurrence that is given up. @returns what it has spent */
    stop: ({ run_id }: OccurrenceRow, { workspace_id }: MonitorRow): Spent => {
      if (run_id === null) return spentBy({ charged: 0n, billed: 0n })
      const run = runs.read(workspace_id, run_id)
      if (!isTerminal(runMachine, run.status) && run.status !== 'cancelling') runs.cancel(workspace_id, run_id)
      return spentOn(run)
    },
  }
}

function selectedTasks({ profiles }: Run): number {
  return profiles.reduce((sum, { tasks_selected: selected }) => sum + selected, 0)
}

function spentOn({ accounting: { charged_microusd, provider_billed_microusd } }: Run): Spent {
  return spentBy({ charged: BigInt(charged_microusd), billed: BigInt(provider_billed_microusd ?? 0) })
}
