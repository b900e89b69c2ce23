import type { Command } from 'commander'
import { formatDifferenceInterval } from '../../lib/format/percent.ts'
import { runIdOf } from '../client/resolve-run.ts'
import { type Finish, onService } from '../client/session.ts'
import { exitCodes } from '../exit-codes.ts'
import { argumentOf } from './arguments.ts'

/** `assay compare A B…`: the first run is the baseline. */
export function addCompare(program: Command, finish: Finish): void {
  program
    .command('compare')
    .argument('<baseline>', 'id or name of the run that the others are compared with')
    .argument('<contenders...>', 'ids or names of the others')
    .description('compare ended runs, task by task')
    .action(
      onService(finish, async ({ client, out }, command) => {
        const baseline = await runIdOf(client, argumentOf(command, 0))
        const contenders = await Promise.all(command.args.slice(1).map(text => runIdOf(client, text)))
        const ids = [baseline, ...contenders]
        const comparison = await client.call('createComparison', {
          body: { name: `Comparison of ${ids.length} runs`, run_ids: ids, baseline_id: baseline },
        })
        out.body(comparison)
        out.line(comparison.headline)
        out.table(
          ['CONTENDER', 'PROFILE', 'METRIC', 'DIFFERENCE', 'N', 'BETTER', 'WORSE', 'VERDICT'],
          comparison.differences.map(one => [
            comparison.runs.find(({ id }) => id === one.contender_id)?.label ?? one.contender_id,
            one.title,
            one.metric_title,
            formatDifferenceInterval({ mean: one.difference, interval: one.interval }),
            String(one.n),
            String(one.wins),
            String(one.losses),
            one.verdict.replace('_', ' '),
          ]),
        )
        for (const { message } of comparison.cautions) out.note(`Caution: ${message}`)
        out.note(client.pageUrl(`/comparisons/${comparison.id}`))
        return exitCodes.passed
      }),
    )
}
