import { Anchor, CloseButton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Benchmark } from '../../contract/catalog/benchmarks.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { benchmarkAddress } from '../catalog/catalog-links.ts'
import { useFirstBenchmarks } from '../catalog/catalog.queries.ts'
import { useEnvironments } from '../catalog/environments.queries.ts'
import { textField } from '../ui/forms/fields.ts'
import { IconSearch } from '../ui/pictures/icons.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { availabilities } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { ProfileRows } from './profile-rows.tsx'
import { useBenchmarkDetails } from './quotes.queries.ts'
import { benchmarkOfProfile } from './use-selected-profiles.ts'

interface ProfileFieldProps {
  readonly selected: readonly string[]
  /** Of the chosen model; null where they are not known. */
  readonly capabilities: readonly string[] | null
  readonly error: string | undefined
  readonly onChange: (selected: readonly string[]) => void
}

const TYPING_PAUSE_MS = 200
/** Benchmarks whose profiles are read and shown at once, a request each; the search finds the others. */
const MOST_SHOWN = 10

/** Profiles to tick, what can run now first; the others with the reason and the way to their data. */
export function ProfileField({ selected, capabilities, error, onChange }: ProfileFieldProps) {
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed, TYPING_PAUSE_MS)
  // Chosen before the page opened: their rows come first, and stay where they are when others are ticked.
  const [asked] = useState(() => selected.map(benchmarkOfProfile))
  const query = useFirstBenchmarks(words.trim())
  const benchmarks = query.data?.items ?? []
  const hasMore = query.data?.next_cursor != null
  const ready = benchmarks.filter(benchmark => benchmark.quote_availability.status === 'ready_for_quote')
  const waiting = benchmarks.filter(benchmark => benchmark.quote_availability.status !== 'ready_for_quote')
  const worlds = (useEnvironments().data ?? []).filter(({ title, summary }) => holdsWords(`${title} ${summary}`, words))
  const offered = [...new Set([...(words === '' ? asked : []), ...ready.map(({ slug }) => slug), ...worlds.map(({ family }) => family)])]
  const details = useBenchmarkDetails(offered.slice(0, MOST_SHOWN))
  return (
    <fieldset className="quotes-fieldset" aria-describedby={error ? 'profiles-error' : undefined}>
      <legend>Profiles</legend>
      <TextInput
        type="search"
        aria-label="Search benchmarks"
        placeholder="Search benchmarks"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={typed ? <CloseButton size="sm" aria-label="Clear search" onClick={() => setTyped('')} /> : null}
        {...textField(typed, setTyped)}
      />
      {query.isError ? <ErrorState error={query.error} title="Couldn’t load the catalog" onRetry={() => void query.refetch()} /> : null}
      {query.isPending ? <LinesSkeleton /> : null}
      {details.length > 0 ? (
        <ProfileRows benchmarks={details} selected={selected} capabilities={capabilities} onChange={onChange} />
      ) : ready.length > 0 ? (
        <LinesSkeleton />
      ) : null}
      {offered.length > MOST_SHOWN || hasMore ? (
        <p className="quotes-note">
          {formatCount(Math.min(MOST_SHOWN, offered.length))} of {hasMore ? 'over ' : ''}
          {formatCount(offered.length)} benchmarks are shown. Search to find the others.
        </p>
      ) : null}
      {query.data && benchmarks.length + worlds.length === 0 ? (
        <p className="quotes-note">No matching benchmarks. Try fewer words, or clear the search.</p>
      ) : null}
      <Waiting benchmarks={waiting} />
      {error ? (
        <p className="quotes-error" id="profiles-error">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}

function holdsWords(text: string, words: string): boolean {
  const held = text.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every(word => held.includes(word))
}

function Waiting({ benchmarks }: { readonly benchmarks: readonly Benchmark[] }) {
  if (benchmarks.length === 0) return null
  return (
    <details className="quotes-waiting">
      <summary>
        {benchmarks.length} {benchmarks.length === 1 ? 'benchmark' : 'benchmarks'} cannot run yet
      </summary>
      <ul>
        {benchmarks.map(({ slug, title, quote_availability: { status, reasons } }) => (
          <li key={slug}>
            <div className="row">
              <Anchor component={Link} to={benchmarkAddress(slug)} fz="inherit">
                <UntrustedText text={title} layout="prose" />
              </Anchor>
              <StatusBadge status={availabilities[status]} />
            </div>
            <div className="quiet">
              <UntrustedText text={reasons.join(' ')} layout="prose" />
            </div>
          </li>
        ))}
      </ul>
    </details>
  )
}
