import { Checkbox } from '@mantine/core'
import type { BenchmarkDetail } from '../../contract/catalog/benchmarks.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { checkField } from '../ui/forms/fields.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** Versions of the profiles that are not of their benchmark's latest version, by profile id: a person must choose them knowingly. */
export function olderProfiles(benchmarks: readonly Pick<BenchmarkDetail, 'latest_version' | 'profiles'>[]): ReadonlyMap<string, string> {
  return new Map(
    benchmarks.flatMap(({ latest_version: latest, profiles }) =>
      profiles.flatMap(({ id, source_ref: ref }) =>
        latest === null || ref === null || ref === latest.source_ref ? [] : [[id, ref.split('/').at(-1) ?? ref] as const],
      ),
    ),
  )
}

/** The title of a profile; profiles of several versions have the same. */
export function versionedTitle(title: string, older: string | undefined): string {
  return older === undefined ? title : `${title}, version ${older}`
}

/** Tells a profile of an older version from the one of the latest, which has the same name. */
export function OlderVersion({ version }: { readonly version: string | undefined }) {
  if (version === undefined) return null
  return (
    <span className="quiet">
      {' '}
      older version <UntrustedText text={version} layout="prose" />
    </span>
  )
}

interface ShowOlderProps {
  readonly count: number
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

export function ShowOlder({ count, isOn, onChange }: ShowOlderProps) {
  if (count === 0) return null
  const label = `Show ${formatCount(count)} ${count === 1 ? 'profile' : 'profiles'} of older versions`
  return <Checkbox size="xs" mt={8} {...checkField(isOn, onChange)} label={label} />
}
