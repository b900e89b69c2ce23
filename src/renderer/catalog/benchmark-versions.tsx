import type { BenchmarkParts, BenchmarkVersion } from '../../contract/catalog/benchmarks.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { checksumWords } from './checksums.ts'

const columns: readonly Column<BenchmarkVersion>[] = [
  { id: 'version', title: 'Version', width: 140, rowHeader: true, cell: ({ version }) => <UntrustedText text={version} layout="inline" /> },
  {
    id: 'tasks',
    title: 'Tasks',
    width: 170,
    cell: ({ task_counts, parts }) => (
      <>
        {Object.entries(task_counts)
          .map(([split, count]) => `${formatCount(count)} ${split}`)
          .join(', ')}
        {parts ? <PartsPresent parts={parts} /> : null}
      </>
    ),
  },
  {
    id: 'files',
    title: 'Files',
    width: 260,
    grow: true,
    cell: ({ files }) =>
      files.length === 0
        ? 'made by a seeded generator'
        : files.map(file => (
            <div key={file.sha256}>
              <UntrustedText text={file.name} layout="inline" /> {formatBytes(file.bytes)}, {checksumWords[file.checksum]}
            </div>
          )),
  },
  { id: 'digest', title: 'Digest', width: 170, cell: ({ digest }) => <Identifier value={digest} what="digest" shown={12} /> },
  { id: 'created', title: 'Added', width: 120, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
]

/** How much of a benchmark of parts a version has, with the names of what it lacks. */
function PartsPresent({ parts: { present, missing, complete } }: { readonly parts: BenchmarkParts }) {
  const all = present.length + missing.length
  if (complete) return <div className="quiet">all {all} parts</div>
  const few = missing.length === 0 ? 'some with fewer tasks than upstream' : `missing: ${missing.join(', ')}`
  return (
    <div className="quiet" title={few}>
      {present.length} of {all} parts{missing.length === 0 ? ', incomplete' : ''}
    </div>
  )
}

export function BenchmarkVersions({ versions }: { readonly versions: readonly BenchmarkVersion[] }) {
  return (
    <Section title="Versions">
      {versions.length > 0 ? (
        <PlainTable label="Versions" columns={columns} rows={versions} rowId={version => version.source_ref} />
      ) : (
        <EmptyState title="No version yet">The first import creates a version. Versions are immutable.</EmptyState>
      )}
    </Section>
  )
}
