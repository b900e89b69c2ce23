import type { Command } from 'commander'
import { z } from 'zod'
import { followRun } from '../client/follow-run.ts'
import { reportRun, showResults } from '../client/report-run.ts'
import { gatesOf, withGates } from '../client/run-flags.ts'
import { runIdOf } from '../client/resolve-run.ts'
import { type Finish, onService, parseFlags, type Session } from '../client/session.ts'
import { exitCodes } from '../exit-codes.ts'
import { argumentOf } from './arguments.ts'

const WaitFlags = z.object({ junit: z.string().optional() })
const ResultFlags = z.object({ resultVersion: z.coerce.number('must be a number').int().min(1).optional() })

const runWords = 'id or name of the run, or "latest"'
const runArgument = ({ client }: Session, command: Command) => runIdOf(client, argumentOf(command, 0))

/** What is done with a run that exists. */
export function addRunActions(program: Command, finish: Finish): void {
  withGates(program.command('wait').argument('<run>', runWords))
    .description('follow a run to its end and exit by its result')
    .option('--junit <file>', 'write the samples as JUnit XML')
    .action(
      onService(finish, async (session, command) => {
        const gates = gatesOf(command)
        const { junit } = parseFlags(WaitFlags, command)
        return reportRun(session, await followRun(session, await runArgument(session, command)), { gates, junit })
      }),
    )
  const runs = program.commands.find(command => command.name() === 'runs')
  if (!runs) throw new Error('The command "runs" is declared before its subcommands.')
  runs
    .command('watch')
    .configureHelp({ visibleGlobalOptions: () => [...program.options] })
    .argument('<run>', runWords)
    .description('show the progress of a run until it ends, then its result')
    .action(
      onService(finish, async (session, command) => {
        return reportRun(session, await followRun(session, await runArgument(session, command)), {
          gates: gatesOf(program.createCommand()),
        })
      }),
    )
  for (const { name, description, operation } of [
    { name: 'cancel', description: 'cancel a run', operation: 'cancelRun' },
    { name: 'pause', description: 'pause a run: calls in flight end, no other begins', operation: 'pauseRun' },
    { name: 'resume', description: 'resume a paused run', operation: 'resumeRun' },
    { name: 'retry', description: 'retry the failed and missing samples of a run', operation: 'retryFailed' },
  ] as const)
    program
      .command(name)
      .argument('<run>', runWords)
      .description(description)
      .action(
        onService(finish, async (session, command) => {
          const { client, out } = session
          const run = await client.call(operation, { params: { run_id: await runArgument(session, command) } })
          out.body(run)
          out.line(`${run.id}  ${run.pause?.code === 'paused' ? 'paused' : run.status}`)
          return exitCodes.passed
        }),
      )
  program
    .command('results')
    .argument('<run>', runWords)
    .description('show the result of a run')
    .option('--result-version <n>', 'an earlier result version (default: the latest)')
    .action(
      onService(finish, async (session, command) => {
        const { resultVersion } = parseFlags(ResultFlags, command)
        const query = resultVersion === undefined ? {} : { version: resultVersion }
        const results = await session.client.call('getRunResults', { params: { run_id: await runArgument(session, command) }, query })
        session.out.body(results)
        showResults(session, results)
        return exitCodes.passed
      }),
    )
}
