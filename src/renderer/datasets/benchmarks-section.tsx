import { Anchor, Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { DatasetVersion } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { DatasetBenchmark } from '../../contract/evaluators/dataset-benchmarks.schemas.ts'
import { allItems } from '../api/pages.ts'
import { benchmarkAddress, quoteAddress } from '../catalog/catalog-links.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import type { Column } from '../ui/table/column.ts'
import { LoadMore } from '../ui/table/load-more.tsx'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useVersionBenchmarks } from './datasets.queries.ts'
import { MakeBenchmarkDialog } from './make-benchmark-dialog.tsx'

const columns: readonly Column<DatasetBenchmark>[] = [
  {
    id: 'title',
    title: 'Benchmark',
    width: 200,
    grow: true,
    rowHeader: true,
    cell: ({ slug, title }) => (
      <Anchor component={Link} to={benchmarkAddress(slug)} fz="inherit">
        <UntrustedText text={title} layout="prose" />
      </Anchor>
    ),
  },
  { id: 'source', title: 'Source', width: 260, cell: ({ source_ref }) => <UntrustedText text={source_ref} layout="prose" /> },
  {
    id: 'evaluator',
    title: 'Graded by',
    width: 110,
    cell: ({ evaluator_version_id: id }) => (
      <Anchor component={Link} to={`/evaluators/${id}`} fz="inherit">
        Evaluator
      </Anchor>
    ),
  },
  { id: 'at', title: 'Made', width: 112, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  {
    id: 'quote',
    title: 'Run',
    width: 80,
    cell: ({ profile_id }) => (
      <Anchor component={Link} to={quoteAddress({ profile: profile_id })} fz="inherit">
        Quote
      </Anchor>
    ),
  },
]

/** Benchmarks whose tasks are the examples of this version, and the button that makes another. */
export function BenchmarksSection({ version }: { readonly version: DatasetVersion }) {
  const benchmarks = useVersionBenchmarks(version.dataset_id, version.id)
  const [making, setMaking] = useState(false)
  const rows = allItems(benchmarks.data)
  return (
    <Section
      title="Benchmarks"
      aside={
        version.task === 'pairwise' ? null : (
          <Button size="xs" onClick={() => setMaking(true)}>
            Make a benchmark
          </Button>
        )
      }
    >
      {benchmarks.isError ? (
        <ErrorState error={benchmarks.error} title="Couldn’t load the benchmarks" onRetry={() => void benchmarks.refetch()} />
      ) : benchmarks.isPending ? (
        <LinesSkeleton />
      ) : rows.length > 0 ? (
        <PlainTable label="Benchmarks" columns={columns} rows={rows} rowId={({ source_ref }) => source_ref} />
      ) : (
        <p className="quiet">
          {version.task === 'pairwise'
            ? 'A pairwise dataset compares two stored outputs, so it can’t be a benchmark.'
            : 'A benchmark asks any model these inputs and grades its answers.'}
        </p>
      )}
      <LoadMore query={benchmarks} />
      {making ? <MakeBenchmarkDialog version={version} onClose={() => setMaking(false)} /> : null}
    </Section>
  )
}
