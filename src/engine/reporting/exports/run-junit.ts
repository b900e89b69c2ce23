import type { FrozenProfile } from '../../../contract/quotes/quotes.schemas.ts'
import type { Results } from '../../../contract/runs/results.schemas.ts'
import { profileName } from '../../../lib/format/benchmark-names.ts'
import type { ReportSample } from '../report/report-sample.ts'
import { type Outcome, outcomeOf, primaryScore, reasonOf } from './outcome.ts'
import type { Samples, WriteBytes } from './samples.ts'
import { xmlAttribute, xmlText } from './xml-text.ts'

/** Characters of an output that a case shows; the report and the JSON export have all of it. */
const shownOutput = 4_000

/** JUnit XML: a suite for each profile, a case for each sample. `<failure>` is wrong, `<error>` not answered, `<skipped>` unscored. Why a run stopped is a property of each suite. */
export async function renderRunJunit(results: Results, samples: Samples, write: WriteBytes): Promise<void> {
  const { profiles } = results.reproducibility
  const counts = await countOutcomes(samples)
  const sums = [...counts.values()]
  await write('<?xml version="1.0" encoding="UTF-8"?>\n')
  await write(`<testsuites name="${xmlAttribute(results.name)}" ${countAttributes(sums.reduce(add, noOutcomes))}>\n`)
  const { stop_reason: stop } = results
  const properties = stop === null ? '' : `<properties><property name="stop_reason" value="${xmlAttribute(stop.message)}"/></properties>\n`
  let open: string | null = null
  for await (const sample of samples()) {
    const profile = profiles.find(one => one.profile_id === sample.profile_id)
    if (open !== sample.profile_id) {
      if (open !== null) await write('</testsuite>\n')
      open = sample.profile_id
      await write(
        `<testsuite name="${xmlAttribute(profile ? profileName(profile) : open)}" ${countAttributes(counts.get(open) ?? noOutcomes)} timestamp="${results.created_at.slice(0, 19)}">\n${properties}`,
      )
    }
    await write(testCase(sample, profile))
  }
  await write(`${open === null ? '' : '</testsuite>\n'}</testsuites>\n`)
}

type Counts = Readonly<Record<Outcome, number>> & { readonly seconds: number }
const noOutcomes: Counts = { passed: 0, failed: 0, unscored: 0, not_answered: 0, seconds: 0 }

async function countOutcomes(samples: Samples): Promise<Map<string, Counts>> {
  const counts = new Map<string, Counts>()
  for await (const sample of samples()) {
    const earlier = counts.get(sample.profile_id) ?? noOutcomes
    const outcome = outcomeOf(sample)
    counts.set(sample.profile_id, {
      ...earlier,
      [outcome]: earlier[outcome] + 1,
      seconds: earlier.seconds + (sample.latency_ms ?? 0) / 1000,
    })
  }
  return counts
}

function add(a: Counts, b: Counts): Counts {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    unscored: a.unscored + b.unscored,
    not_answered: a.not_answered + b.not_answered,
    seconds: a.seconds + b.seconds,
  }
}

function countAttributes({ passed, failed, unscored, not_answered: errors, seconds }: Counts): string {
  return `tests="${passed + failed + unscored + errors}" failures="${failed}" errors="${errors}" skipped="${unscored}" time="${seconds.toFixed(3)}"`
}

function testCase(sample: ReportSample, profile: FrozenProfile | undefined): string {
  const name = sample.epoch === 1 ? sample.task_id : `${sample.task_id} (epoch ${sample.epoch})`
  const start = `<testcase classname="${xmlAttribute(sample.profile_id)}" name="${xmlAttribute(name)}" time="${((sample.latency_ms ?? 0) / 1000).toFixed(3)}"`
  const outcome = outcomeOf(sample)
  return outcome === 'passed' ? `${start}/>\n` : `${start}>${verdict(sample, profile, outcome)}</testcase>\n`
}

function verdict(sample: ReportSample, profile: FrozenProfile | undefined, outcome: Exclude<Outcome, 'passed'>): string {
  const message = xmlAttribute(reasonOf(sample, profile).slice(0, 1_000))
  switch (outcome) {
    case 'unscored':
      return `<skipped message="${message}"/>`
    case 'not_answered':
      return `<error type="${xmlAttribute(sample.error?.code ?? sample.status)}" message="${message}"/>`
    case 'failed': {
      const score = primaryScore(sample, profile)
      const details = [
        `Score: ${score?.value ?? 'none'}`,
        `Expected: ${sample.targets.join(' | ')}`,
        `Answer: ${score?.answer ?? 'none'}`,
        `Output: ${(sample.output ?? '').slice(0, shownOutput)}`,
      ]
      return `<failure type="${xmlAttribute(score?.class ?? 'wrong')}" message="${message}">${xmlText(details.join('\n'))}</failure>`
    }
  }
}
