import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import type { RunConfig } from '../../contract/run-config/run-config.schemas.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { attaches, findRunning } from '../client/find-running.ts'
import { followRun } from '../client/follow-run.ts'
import { reportRun } from '../client/report-run.ts'
import { executionOf, microUsdOf, modelOf, nameOf, runIdOf, suiteIdOf } from '../client/resolve-run.ts'
import { requireMetrics } from '../client/gates.ts'
import { gatesOf, inFlags, runConfigOf, withGates, withSelection } from '../client/run-flags.ts'
import { type Finish, onService, parseFlags, type Session } from '../client/session.ts'
import { exitCodes, UsageError } from '../exit-codes.ts'
import { createQuote } from './quote.ts'

const Flags = z.object({
  quote: z.uuid('must be the id of a quote').optional(),
  name: z.string().optional(),
  wait: z.boolean().default(false),
  junit: z.string().optional(),
  config: z.string().optional(),
  model: z.array(z.string()).optional(),
  suite: z.string().optional(),
  resume: z.boolean().default(false),
})

/** `assay run`: submits, and with `--wait` or a gate follows the run to its end and judges it. */
export function addRun(program: Command, finish: Finish): void {
  withGates(withSelection(program.command('run')))
    .description('submit a run; with --wait or a gate, follow it and exit by its result')
    .option('--quote <id>', 'submit this reviewed quote')
    .option('--suite <suite>', 'run exactly the tasks of a suite: id of a version, or name for the newest')
    .option('--name <name>', 'name of the run')
    .option('--wait', 'follow the run to its end')
    .option('--resume', 'attach to a run that does the same and has not ended, instead of submitting another')
    .option('--junit <file>', 'write the samples as JUnit XML')
    .action(
      onService(finish, async (session, command) => {
        const flags = parseFlags(Flags, command)
        if (flags.junit !== undefined) requireWritable(flags.junit)
        const { runId, gates, isAttached } = await submit(session, command, flags)
        const waits = flags.wait || isAttached || flags.junit !== undefined || hasGates(gates) || session.ephemeral
        if (waits && !session.ephemeral && !isAttached)
          session.out.note(`Run ${runId} was submitted. It continues if this command stops: "assay runs watch ${runId}" follows it.`)
        if (!waits) {
          const run = await session.client.call('getRun', { params: { run_id: runId } })
          session.out.body({ run_id: runId, run })
          session.out.line(runId)
          return exitCodes.passed
        }
        const run = await followRun(session, runId)
        return reportRun(session, run, { gates, junit: flags.junit })
      }),
    )
}

interface Submitted {
  readonly runId: string
  readonly gates: RunConfig['gates']
  /** Whether the run was there before this command. */
  readonly isAttached: boolean
}

async function submit(
  session: Session,
  command: Command,
  { quote, name, config, model, suite, resume }: z.output<typeof Flags>,
): Promise<Submitted> {
  if (quote !== undefined) {
    if (config !== undefined || model !== undefined || suite !== undefined)
      throw new UsageError('--quote has everything in it: leave --config, --model and --suite out')
    const gates = await withBaseline(session, gatesOf(command))
    const quoted = await session.client.call('getQuote', { params: { quote_id: quote } })
    requireMetrics(quoted, gates)
    const usual = nameOf({ model: quoted.model.title, benchmarks: quoted.profiles.map(profileName), coverage: 'full' })
    const runId = await submitQuote(session, quote, name ?? usual)
    // The same command again finds the run of the first.
    requireAnother(runId, gates)
    return { runId, gates, isAttached: false }
  }
  const wanted = runConfigOf(command)
  const gates = await withBaseline(session, wanted.gates)
  if (wanted.suite !== undefined) return submitSuite(session, { ...wanted, gates }, wanted.suite, resume)
  const made = await createQuote(session, wanted)
  const { id, compatibility } = made
  requireMetrics(made, gates)
  if (compatibility.status === 'incompatible')
    throw new Error(
      `The run does not fit: ${compatibility.checks.flatMap(({ status, detail }) => (status === 'fail' ? [detail] : [])).join(' ')}`,
    )
  return (
    (await attached(session, made, resume, gates)) ?? { runId: await submitQuote(session, id, nameOf(wanted)), gates, isAttached: false }
  )
}

/** A run under way that does what the quote says, where it is to be followed instead of submitting another. */
async function attached(session: Session, quote: Quote, resume: boolean, gates: RunConfig['gates']): Promise<Submitted | null> {
  const running = session.ephemeral ? null : await findRunning(session.client, quote)
  if (!running || !(await attaches(session, running, resume))) return null
  requireAnother(running.id, gates)
  return { runId: running.id, gates, isAttached: true }
}

function requireAnother(runId: string, { baseline }: RunConfig['gates']): void {
  if (runId === baseline) throw new UsageError(`--baseline: ${runId} is the run of this command itself. Name the run before it.`)
}

/** Before anything is spent: a comparison that cannot be made would fail after the run. */
async function withBaseline({ client }: Session, gates: RunConfig['gates']): Promise<RunConfig['gates']> {
  if (gates.baseline === undefined) return gates
  const { id, result_version: version, status } = await client.call('getRun', { params: { run_id: await runIdOf(client, gates.baseline) } })
  if (version === null)
    throw new UsageError(`--baseline: the run ${id} is ${status} and has no result to compare with. Name a run that has one.`)
  return { ...gates, baseline: id }
}

function requireWritable(file: string): void {
  if (!existsSync(dirname(file))) throw new UsageError(`--junit: the folder ${dirname(file)} does not exist`)
}

/** The operation key is the quote's own, so that a command that is killed and repeated finds the run that it has started. */
async function submitQuote({ client }: Session, quoteId: string, name: string): Promise<string> {
  const headers = { 'idempotency-key': `assay-run-${quoteId}` }
  const { run_id: runId } = await client.call('submitRun', { body: { quote_id: quoteId, name }, headers })
  return runId
}

async function submitSuite(session: Session, config: RunConfig, suite: string, resume: boolean): Promise<Submitted> {
  const { client } = session
  const asked = {
    model: await modelOf(client, config.model),
    suite_version_id: await suiteIdOf(client, suite),
    max_charge_microusd: microUsdOf(config.cap_usd),
    execution: executionOf(config),
  }
  const quote = await inFlags(client.call('quoteEvaluation', { body: asked }))
  if (config.gates.fail_under) requireMetrics(quote, config.gates)
  const found = await attached(session, quote, resume, config.gates)
  if (found) return found
  const { run_id: runId } = await client.call('createEvaluation', {
    body: { name: nameOf(config), ...asked },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  return { runId, gates: config.gates, isAttached: false }
}

function hasGates({ fail_under, no_regression }: RunConfig['gates']): boolean {
  return fail_under !== undefined || no_regression
}
