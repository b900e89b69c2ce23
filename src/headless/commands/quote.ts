import type { Command } from 'commander'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import type { RunConfig } from '../../contract/run-config/run-config.schemas.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { formatUsd } from '../../lib/format/money.ts'
import type { Output } from '../client/output.ts'
import { quoteDigest, quoteRequestOf } from '../client/resolve-run.ts'
import { inFlags, runConfigOf, withSelection } from '../client/run-flags.ts'
import { type Finish, onService, type Session } from '../client/session.ts'
import { exitCodes } from '../exit-codes.ts'

/** `assay quote`: what a run would do, cost and detect. Nothing is charged. */
export function addQuote(program: Command, finish: Finish): void {
  withSelection(program.command('quote'))
    .description('quote a run: does it fit, what does it cost, what difference can it detect')
    .action(
      onService(finish, async (session, command) => {
        const quote = await createQuote(session, runConfigOf(command))
        session.out.body(quote)
        return quote.compatibility.status === 'compatible' ? exitCodes.passed : exitCodes.error
      }),
    )
}

/** Quotes an evaluation and shows the quote. */
export async function createQuote({ client, out }: Session, config: RunConfig): Promise<Quote> {
  const quote = await inFlags(client.call('createQuote', { body: await quoteRequestOf(client, config) }))
  showQuote(out, quote)
  // Beside the body, which is the API's own.
  out.note(`Quote ${quote.id}, valid until ${quote.expires_at}, digest ${quoteDigest(quote)}`)
  return quote
}

function showQuote(out: Output, { model, profiles, counts, cost, statistics, compatibility, warnings }: Quote): void {
  out.line(`Model      ${model.title}`)
  for (const profile of profiles)
    out.line(`Benchmark  ${profileName(profile)}: ${formatCount(profile.tasks_selected)} of ${formatCount(profile.tasks_available)} tasks`)
  out.line(`Calls      ${formatCount(counts.model_calls)} to the model, ${formatCount(counts.judge_calls)} to judges, without retries`)
  out.line(
    `Cost       ${formatUsd(cost.estimated_charge_microusd)} expected, at most ${formatUsd(cost.upper_bound_microusd)}, limit ${formatUsd(cost.max_charge_microusd)}`,
  )
  if (cost.provider_billed_estimate_microusd !== '0')
    out.line(
      `Provider   ${cost.provider_billed_estimate_microusd === null ? 'cost unknown' : `${formatUsd(cost.provider_billed_estimate_microusd)} expected`}`,
    )
  const names = new Map(profiles.map(profile => [profile.profile_id, profileName(profile)]))
  for (const { profile_id: profile, n, minimum_detectable_difference: least } of statistics)
    out.line(
      `Detects    ${least === null ? 'no difference' : `differences from ${formatPercent(least)}`} (n = ${formatCount(n)}, ${names.get(profile) ?? profile})`,
    )
  for (const [text, kind] of remarksOf(compatibility.checks, warnings)) out.line(`${kind.padEnd(11)}${text}`)
}

/** What to read before one signs, failures first, each text once: several profiles may have the same. */
function remarksOf(checks: Quote['compatibility']['checks'], warnings: Quote['warnings']): ReadonlyMap<string, 'Fails' | 'Warning'> {
  const detailsOf = (wanted: (typeof checks)[number]['status']) =>
    checks.filter(({ status }) => status === wanted).map(({ detail }) => detail)
  const remarks = new Map<string, 'Fails' | 'Warning'>(detailsOf('fail').map(text => [text, 'Fails']))
  for (const text of [...detailsOf('warn'), ...warnings.map(({ message }) => message)]) if (!remarks.has(text)) remarks.set(text, 'Warning')
  return remarks
}
