import { Anchor, Select } from '@mantine/core'
import { Link } from 'react-router'
import { formatCount } from '../../lib/format/numbers.ts'
import { taskWords } from '../datasets/dataset-words.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { useFrozenVersions } from './evaluators.queries.ts'

interface DatasetVersionFieldProps {
  readonly value: string | null
  readonly onChange: (versionId: string | null) => void
  readonly error?: string | undefined
}

/** A frozen version of a dataset. */
export function DatasetVersionField({ value, onChange, error }: DatasetVersionFieldProps) {
  const datasets = useFrozenVersions()
  if (datasets.isError) return <ErrorState error={datasets.error} title="Couldn’t load datasets" onRetry={() => void datasets.refetch()} />
  if (!datasets.data) return <LinesSkeleton lines={1} />
  if (datasets.data.length === 0)
    return (
      <p className="quiet">
        No dataset has a frozen version yet.{' '}
        <Anchor component={Link} to="/datasets" fz="inherit" underline="always">
          Approve examples and create a version
        </Anchor>{' '}
        first.
      </p>
    )
  return (
    <Select
      label="Dataset version"
      placeholder="Choose a dataset"
      maw={480}
      searchable
      withScrollArea={false}
      styles={{ options: { maxHeight: 320, overflowY: 'auto' } }}
      error={error}
      data={datasets.data.map(({ name, task, version }) => ({
        value: version.id,
        label: `${name}, version ${version.version} (${taskWords[task].toLowerCase()}, ${formatCount(version.example_count)} examples)`,
      }))}
      value={value}
      onChange={onChange}
    />
  )
}
