import { Button } from '@mantine/core'
import type { StorageUse } from '../../contract/index.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { Notice } from '../ui/states/notice.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { useIsMachineOwner } from '../workspace/members.queries.ts'
import { isCompacting, useCompact, useExamine, useStorage } from './storage.queries.ts'

/** How much space the data take, and giving back what is free. */
export function StorageSection() {
  return (
    <QueryView query={useStorage()} failure="Couldn’t load storage usage">
      {use => (
        <>
          {use.folder_warning === null ? null : (
            <Notice tone="warn" title="Data location">
              {use.folder_warning}
            </Notice>
          )}
          <Sizes use={use} />
          <Examination use={use} />
          <Compaction use={use} />
        </>
      )}
    </QueryView>
  )
}

export function Sizes({ use }: { readonly use: StorageUse }) {
  return (
    <KeyValues
      items={{
        Database: <span className="num">{formatBytes(use.database_bytes)}</span>,
        'of which free inside': <span className="num">{formatBytes(use.reusable_bytes)}, used again by what comes next</span>,
        'Exported reports': <span className="num">{formatBytes(use.exports_bytes)}, generated on demand</span>,
        'Free on the disk': <span className="num">{formatBytes(use.disk_free_bytes)}</span>,
        Holds: (
          <span className="num">
            {formatCount(use.runs)} {use.runs === 1 ? 'run' : 'runs'} with {formatCount(use.samples)} samples
          </span>
        ),
        'Being deleted':
          use.rows_to_delete === 0 ? null : (
            <span className="num">{formatCount(use.rows_to_delete)} samples of deleted runs, a few at a time</span>
          ),
      }}
    />
  )
}

function Examination({ use }: { readonly use: StorageUse }) {
  const examine = useExamine()
  const mayAdminister = useIsMachineOwner()
  const { examination, examining } = use
  const start = (): void => examine.mutate(undefined, { onError: error => notifyFailed('The database was not examined', error) })
  return (
    <>
      {examination !== null && examination.faults.length > 0 ? (
        <Notice tone="fail" title="The database is damaged">
          Restore a backup that was made before. Found <RelativeTime at={examination.at} />: {examination.faults.join('; ')}
        </Notice>
      ) : null}
      <div className="row">
        <Button variant="default" loading={examine.isPending} disabled={examining || !mayAdminister} onClick={start}>
          Examine now
        </Button>
        <output className="quiet small">
          <ExaminationText use={use} />
        </output>
      </div>
    </>
  )
}

export function ExaminationText({ use: { examination, examining } }: { readonly use: StorageUse }) {
  if (examining) return 'Checking every page of the database. Assay stays usable.'
  if (examination === null) return 'Reads every page of the database. Done once a week by itself.'
  return (
    <>
      {examination.faults.length === 0 ? 'Database check passed' : 'Database check found faults'} <RelativeTime at={examination.at} />. Done
      once a week by itself.
    </>
  )
}

function Compaction({ use }: { readonly use: StorageUse }) {
  const compact = useCompact()
  const mayAdminister = useIsMachineOwner()
  const working = isCompacting(use)
  const start = (): void => compact.mutate(undefined, { onError: error => notifyFailed('The database was not compacted', error) })
  return (
    <div className="row">
      <Button variant="default" loading={compact.isPending} disabled={working || !mayAdminister} onClick={start}>
        Compact now
      </Button>
      <output className="quiet small num">
        <CompactionText use={use} mayAdminister={mayAdminister} />
      </output>
    </div>
  )
}

export function CompactionText({ use, mayAdminister }: { readonly use: StorageUse; readonly mayAdminister: boolean }) {
  const { compaction } = use
  if (compaction === null) {
    return mayAdminister ? 'Returns free space to the disk. Assay stays usable.' : 'An owner or admin can do this.'
  }
  if (compaction.finished_at === null) return `Compacting: ${formatBytes(compaction.returned_bytes)} given back so far.`
  return (
    <>
      {compaction.returned_bytes === 0 ? 'There was nothing to give back' : `${formatBytes(compaction.returned_bytes)} given back`},{' '}
      <RelativeTime at={compaction.finished_at} />.
    </>
  )
}
