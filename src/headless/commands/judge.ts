import { setTimeout as delay } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { z } from 'zod'
import { calibrationMachine } from '../../contract/evaluators/calibration.machine.ts'
import { isTerminal } from '../../contract/machine.ts'
import { formatNumber } from '../../lib/format/numbers.ts'
import { microUsdOf } from '../client/resolve-run.ts'
import { collect } from '../client/run-flags.ts'
import { type Finish, onService, parseFlags } from '../client/session.ts'
import { exitCodes, UsageError } from '../exit-codes.ts'
import { argumentOf } from './arguments.ts'

const pollMs = 300
const CalibrateFlags = z.object({
  datasetVersion: z.uuid('must be the id of a dataset version').optional(),
  cap: z.string().optional(),
})
const RecommendFlags = z.object({
  tasks: z.coerce.number('must be a number of tasks').int().min(1).max(1000).default(100),
  model: z.array(z.string()).default([]),
})

/** `assay calibrate` and `assay recommend`: what to trust, and what to ask. */
export function addJudging(program: Command, finish: Finish): void {
  program
    .command('calibrate')
    .argument('<evaluator>', 'id of an evaluator version')
    .description('measure an evaluator against people’s labels and exit by the verdict: 0 usable, 100 weak or uninformative')
    .option('--dataset-version <id>', 'version of the labeled dataset')
    .option('--cap <usd>', 'spending limit of the judge calls in US dollars')
    .action(
      onService(finish, async ({ client, out }, command) => {
        const { datasetVersion, cap } = parseFlags(CalibrateFlags, command)
        if (datasetVersion === undefined) throw new UsageError('--dataset-version is missing: the version with people’s labels')
        const body = {
          evaluator_version_id: argumentOf(command, 0),
          dataset_version_id: datasetVersion,
          ...(cap !== undefined && { max_charge_microusd: microUsdOf(cap) }),
        }
        let found = await client.call('createCalibration', { body })
        while (!isTerminal(calibrationMachine, found.status)) {
          out.progress(`${found.status}, ${found.progress.done} of ${found.progress.total}`)
          await delay(pollMs)
          found = await client.call('getCalibration', { params: { calibration_id: found.id } })
        }
        out.endProgress()
        out.body(found)
        const { status, kappa, n, verdict, reasons, failure } = found
        const { mean = null, interval = null } = kappa ?? {}
        const range = interval === null ? '' : ` [${formatNumber(interval.low, 2)}, ${formatNumber(interval.high, 2)}]`
        out.line(`${verdict ?? status}: kappa ${mean === null ? 'undefined' : formatNumber(mean, 2)}${range} (n = ${n ?? 0})`)
        for (const reason of failure ? [failure.message] : reasons) out.line(reason)
        out.note(client.pageUrl(`/evaluators/calibrations/${found.id}`))
        if (status !== 'resolved') return exitCodes.error
        return verdict === 'usable' ? exitCodes.passed : exitCodes.gateFailed
      }),
    )
  program
    .command('recommend')
    .argument('<objective>', 'question that the evaluation should answer')
    .description('find tasks for an objective; nothing is run')
    .option('--tasks <n>', 'max tasks (default: 100)')
    .addOption(new Option('--model <model>', 'model to evaluate, by route or connection id; may be repeated').argParser(collect))
    .action(
      onService(finish, async ({ client, out }, command) => {
        const { tasks, model } = parseFlags(RecommendFlags, command)
        const body = { objective: argumentOf(command, 0), models: model, task_limit: tasks }
        const found = await client.call('recommendTasks', { body })
        out.body(found)
        out.table(
          ['BENCHMARK', 'SOURCE', 'TASKS', 'AVAILABLE'],
          found.sources.map(source => [source.slug, source.source_ref, String(source.tasks.length), String(source.tasks_available)]),
        )
        for (const { message } of found.warnings) out.note(message)
        return found.tasks > 0 ? exitCodes.passed : exitCodes.inconclusive
      }),
    )
}
