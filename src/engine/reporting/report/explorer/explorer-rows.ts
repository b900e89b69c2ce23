import { profileName } from '../../../../lib/format/benchmark-names.ts'
import type { FrozenProfile } from '../../../../contract/quotes/quotes.schemas.ts'
import type { Breakdown } from '../../../../contract/runs/results.schemas.ts'
import type { FacetedSample } from '../report-sample.ts'
import { outcomeOf } from '../sample-tally.ts'
import { clip } from './clip.ts'
import type { ExplorerConfig, ExplorerPart, ExplorerRow } from './explorer-data.ts'

/** Longest answer, target or task id in a line of the list; the transcript has all of it. */
const cellLength = 80

const rowsPerPage = 100

export function explorerConfig(profiles: readonly FrozenProfile[], breakdowns: readonly Breakdown[]): ExplorerConfig {
  const metrics = new Map(profiles.flatMap(profile => profile.metrics).map(metric => [metric.id, metric.title]))
  return {
    profiles: profiles.map(profile => ({ title: profileName(profile), metrics: profile.metrics.map(metric => metric.id) })),
    metrics: [...metrics].map(([id, title]) => ({ id, title })),
    parts: breakdowns.map(({ profile_id, dimension, value }) => ({
      profile: profiles.findIndex(profile => profile.profile_id === profile_id),
      dimension,
      value,
    })),
    rowsPerPage,
  }
}

/** Finds the parts that a sample belongs to, by its facets. */
export function partFinder(parts: readonly ExplorerPart[]): (profile: number, facets: FacetedSample['facets']) => number[] {
  const key = (profile: number, dimension: string, value: string) => JSON.stringify([profile, dimension, value])
  const places = new Map(parts.map(({ profile, dimension, value }, index) => [key(profile, dimension, value), index]))
  return (profile, facets) => Object.entries(facets).flatMap(([dimension, value]) => places.get(key(profile, dimension, value)) ?? [])
}

/** @throws RangeError for a sample whose profile is not among the frozen ones. */
export function explorerRow(
  sample: FacetedSample,
  profiles: readonly FrozenProfile[],
  partsOf: ReturnType<typeof partFinder>,
): ExplorerRow {
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
    outcomeOf(sample.status, scoreOf(primary?.id)?.value ?? null),
    profile.metrics.map(metric => scoreOf(metric.id)?.value ?? null),
    cell(scoreOf(primary?.id)?.answer),
    cell(sample.targets[0]),
    sample.error?.code ?? null,
    sample.latency_ms,
    sample.output_tokens,
    partsOf(index, sample.facets),
  ]
}

function cell(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  const { text: shown, omitted } = clip(text, cellLength)
  return omitted === 0 ? shown : `${shown}…`
}
