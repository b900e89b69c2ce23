import type { Run } from '../../contract/runs/runs.schemas.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatPercent, formatScore } from '../../lib/format/percent.ts'
import type { RunEvents } from '../api/live-events.ts'
import { Section } from '../ui/page/page-header.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { soFar } from './so-far.ts'

/** The number that the run is about, as far as it goes: it moves until the last sample. */
export function ScoreSoFar({ run, events }: { readonly run: Run; readonly events: RunEvents }) {
  const latest = events.scores.at(-1)
  return (
    <Section title="Score so far">
      <dl className="runs-so-far">
        {run.profiles.map(profile => {
          const primary = profile.metrics.find(metric => metric.primary)
          const score = latest?.profiles.find(({ profile_id: id }) => id === profile.profile_id)
          const estimate = soFar(run, profile.profile_id, score)
          return (
            <div key={profile.profile_id}>
              <dt>
                <UntrustedText text={profileName(profile)} layout="prose" />
                <span className="quiet">, {primary?.title}</span>
              </dt>
              <dd className="num">
                <strong>{formatScore(estimate, true)}</strong>
                <div className="quiet small">
                  n = {formatCount(estimate.n)} of {formatCount(profile.tasks_selected * run.coverage.epochs)}
                  {profile.chance_level === null ? '' : `, chance ${formatPercent(profile.chance_level)}`}
                </div>
              </dd>
            </div>
          )
        })}
      </dl>
    </Section>
  )
}
