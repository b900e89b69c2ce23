import './profiles.css'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { BenchmarkDetail, Profile } from '../../contract/catalog/benchmarks.schemas.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { availabilities } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { formatCountOrNone } from './catalog-columns.tsx'
import { importAddress, quoteAddress } from './catalog-links.ts'
import { OlderVersion, olderProfiles, ShowOlder, versionedTitle } from './older-profiles.tsx'

interface ProfilesProps {
  readonly benchmark: Pick<BenchmarkDetail, 'latest_version' | 'profiles' | 'recipe'>
  /** Whether those of older versions are shown, where others follow it. */
  readonly older?: readonly [boolean, (isShown: boolean) => void]
}

/** The runnable settings of a benchmark, each with its readiness, the reason where it is not ready, and the next step. */
export function Profiles({ benchmark, older: followed }: ProfilesProps) {
  const own = useState(false)
  const [withOlder, setWithOlder] = followed ?? own
  const older = olderProfiles([benchmark])
  if (benchmark.profiles.length === 0) return <EmptyState title="No profiles" />
  return (
    <div className="profiles">
      {benchmark.profiles
        .filter(({ id }) => withOlder || !older.has(id))
        .map(profile => (
          <ProfileEntry key={profile.id} profile={profile} older={older.get(profile.id)} recipe={benchmark.recipe?.id ?? null} />
        ))}
      <ShowOlder count={older.size} isOn={withOlder} onChange={setWithOlder} />
    </div>
  )
}

interface ProfileEntryProps {
  readonly profile: Profile
  /** Its version, where that is not the latest. */
  readonly older: string | undefined
  readonly recipe: string | null
}

function ProfileEntry({ profile, older, recipe }: ProfileEntryProps) {
  const { status, reasons } = profile.quote_availability
  const primary = profile.metrics.find(metric => metric.primary)
  return (
    <article className="profile">
      <header>
        <div className="row">
          <h3>
            <UntrustedText text={profile.title} layout="prose" />
            <OlderVersion version={older} />
          </h3>
          <StatusBadge status={availabilities[status]} />
        </div>
        <NextStep profile={profile} older={older} recipe={recipe} />
      </header>
      <UntrustedText text={profile.summary} layout="prose" />
      <div className="quiet small num">
        {formatCountOrNone(profile.task_count)} {profile.task_count === 1 ? 'task' : 'tasks'} ·{' '}
        {profile.shots === 0 ? 'no worked examples' : `${profile.shots} worked examples`}
        {primary ? ` · ${primary.title}` : ''}
        {profile.chance_level === null ? '' : ` · blind guessing scores ${formatPercent(profile.chance_level)}`}
      </div>
      {reasons.length > 0 ? (
        <ul className="quiet small">
          {reasons.map(reason => (
            <li key={reason}>
              <UntrustedText text={reason} layout="prose" />
            </li>
          ))}
        </ul>
      ) : null}
    </article>
  )
}

function NextStep({ profile, older, recipe }: ProfileEntryProps) {
  const { status } = profile.quote_availability
  const name = versionedTitle(profile.title, older)
  if (status === 'ready_for_quote') {
    return (
      <Button component={Link} to={quoteAddress({ profile: profile.id })} size="xs" variant="default" aria-label={`Quote ${name}`}>
        Quote
      </Button>
    )
  }
  if (status === 'data_required' && recipe !== null) {
    return (
      <Button component={Link} to={importAddress(recipe)} size="xs" variant="default" aria-label={`Import data for ${name}`}>
        Import data
      </Button>
    )
  }
  return null
}
