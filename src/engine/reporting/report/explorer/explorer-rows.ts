import { profileName } from '../../../../lib/format/benchmark-names.ts'
import type { FrozenProfile } from '../../../../contract/quotes/quotes.schemas.ts'
import type { ReportSample } from '../report-sample.ts'
import { clip } from './clip.ts'
import type { ExplorerConfig, ExplorerRow } from './explorer-data.ts'

/** Longest answer, target or task id in a line of the list; the transcript has all of it. */
const cellLength = 80

const rowsPerPage = 100

export function explorerConfig(profiles: readonly FrozenProfile[]): ExplorerConfig {
  const metrics = new Map(profiles.flatMap(profile => profile.metrics).map(metric => [metric.id, metric.title]))
  return {
    profiles: profiles.map(profile => ({ title: profileName(profile), metrics: profile.metrics.map(metric => metric.id) })),
    metrics: [...metrics].map(([id, title]) => ({ id, title })),
    rowsPerPage,
  }
}

/** @throws RangeError for a sample whose profile is not among the frozen ones. */
export function explorerRow(sample: ReportSample, profiles: readonly FrozenProfile[]): ExplorerRow {
  const index = profiles.findIndex(profile => profile.profile_id === sample.profile_id)
  const profile = profiles[index]
  if (profile === undefined)
    throw new RangeError(`sample ${sample.id} belongs to profile "${sample.profile_id}", which is not in the results`)
  const primary = profile.metrics.find(metric => metric.primary)
  const scoreOf = (metric: string | undefined) => sample.score_details.find(score => score.metric === metric)
  return [
    sample.position,
    sample.id,
    index,
    clip(sample.task_id, cellLength).text,
    sample.epoch,
    sample.status,
    sample.passed,
    profile.metrics.map(metric => scoreOf(metric.id)?.value ?? null),
    cell(scoreOf(primary?.id)?.answer),
    cell(sample.targets[0]),
    sample.error?.code ?? null,
    sample.latency_ms,
    sample.output_tokens,
  ]
}

function cell(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  const { text: shown, omitted } = clip(text, cellLength)
  return omitted === 0 ? shown : `${shown}…`
}
