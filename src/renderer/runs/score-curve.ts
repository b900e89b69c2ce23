import type { CumulativeSeries } from '../../charts/cumulative-score.ts'
import type { Run, RunEvent } from '../../contract/runs/runs.schemas.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'

type ScoresEvent = Extract<RunEvent, { type: 'scores' }>

/** The primary score of each profile as samples arrived, for the chart. */
export function scoreCurves(run: Run, events: readonly ScoresEvent[]): readonly CumulativeSeries[] {
  return run.profiles.map(profile => {
    const primary = profile.metrics.find(metric => metric.primary)
    const points = events.flatMap(event =>
      event.profiles
        .filter(score => score.profile_id === profile.profile_id && (primary === undefined || score.metric === primary.id))
        .flatMap(({ n, mean }) => (mean === null ? [] : [{ n, mean }])),
    )
    return {
      label: profileName(profile),
      points: rising(points),
      band: primary?.binary === true && run.coverage.epochs === 1,
    }
  })
}

/** Without points that tell nothing new: after a reconnect the stream begins again with the present state. */
function rising<Point extends { readonly n: number }>(points: readonly Point[]): Point[] {
  let most = 0
  return points.filter(({ n }) => {
    const more = n > most
    most = Math.max(most, n)
    return more
  })
}

/** Scored samples per second between one event and the next. */
export function throughput(events: readonly ScoresEvent[]): readonly number[] {
  return events.slice(1).flatMap((event, index) => {
    const before = events[index]
    const seconds = before ? (Date.parse(event.at) - Date.parse(before.at)) / 1000 : 0
    return before && seconds > 0 ? [Math.max(0, scored(event) - scored(before)) / seconds] : []
  })
}

/** A sample scored by two metrics counts once: the largest n of each profile. */
function scored({ profiles }: ScoresEvent): number {
  const byProfile = new Map<string, number>()
  for (const { profile_id: id, n } of profiles) byProfile.set(id, Math.max(byProfile.get(id) ?? 0, n))
  return [...byProfile.values()].reduce((sum, n) => sum + n, 0)
}
