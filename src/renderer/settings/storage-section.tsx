import { Button } from '@mantine/core'
import { useState } from 'react'
import type { StorageUse } from '../../contract/storage/storage.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { Notice } from '../ui/states/notice.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { useIsMachineOwner } from '../workspace/members.queries.ts'
import { isCompacting, useClearCache, useCompact, useDismissLostChanges, useExamine, useStorage } from './storage.queries.ts'

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
          <LostChanges use={use} />
          <Sizes use={use} />
          <Examination use={use} />
          <Compaction use={use} />
          <Cache use={use} />
        </>
      )}
    </QueryView>
  )
}

export function LostChanges({ use: { lost_changes: lost } }: { readonly use: StorageUse }) {
  const dismiss = useDismissLostChanges()
  const mayAdminister = useIsMachineOwner()
  if (lost === null) return null
  const start = (): void => dismiss.mutate(undefined, { onError: error => notifyFailed('Couldn’t dismiss the notice', error) })
  return (
    <Notice tone="fail" title="Changes were lost">
      {lost.message} Found <RelativeTime at={lost.found_at} />.
      {mayAdminister ? (
        <Button variant="default" size="xs" loading={dismiss.isPending} onClick={start}>
          Dismiss
        </Button>
      ) : null}
    </Notice>
  )
}

export function Sizes({ use }: { readonly use: StorageUse }) {
  return (
    <KeyValues
      items={{
        Database: <span className="num">{formatBytes(use.database_bytes)}</span>,
        'Unused inside it': <span className="num">{formatBytes(use.reusable_bytes)}, reused by new data</span>,
        'Exported reports': <span className="num">{formatBytes(use.exports_bytes)}, generated on demand</span>,
        'Free disk space': <span className="num">{formatBytes(use.disk_free_bytes)}</span>,
        Contents: (
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
  const start = (): void => examine.mutate(undefined, { onError: error => notifyFailed('Couldn’t check the database', error) })
  return (
    <>
      {examination !== null && examination.faults.length > 0 ? (
        <Notice tone="fail" title="The database is damaged">
          Restore an earlier backup. Found <RelativeTime at={examination.at} />: {examination.faults.join('; ')}
        </Notice>
      ) : null}
      <div className="row">
        <Button variant="default" loading={examine.isPending} disabled={examining || !mayAdminister} onClick={start}>
          Check database
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
  if (examination === null) return 'Reads every page of the database. Runs every week.'
  return (
    <>
      {examination.faults.length === 0 ? 'Database check passed' : 'Database check found faults'} <RelativeTime at={examination.at} />. Runs
      every week.
    </>
  )
}

function Compaction({ use }: { readonly use: StorageUse }) {
  const compact = useCompact()
  const mayAdminister = useIsMachineOwner()
  const working = isCompacting(use)
  const start = (): void => compact.mutate(undefined, { onError: error => notifyFailed('Couldn’t compact the database', error) })
  return (
    <div className="row">
      <Button variant="default" loading={compact.isPending} disabled={working || !mayAdminister} onClick={start}>
        Compact database
      </Button>
      <output className="quiet small num">
        <CompactionText use={use} mayAdminister={mayAdminister} />
      </output>
    </div>
  )
}

function Cache({ use: { cache } }: { readonly use: StorageUse }) {
  const clear = useClearCache()
  const [asking, setAsking] = useState(false)
  const mayAdminister = useIsMachineOwner()
  return (
    <div className="row">
      <Button variant="default" disabled={cache.answers === 0 || !mayAdminister} onClick={() => setAsking(true)}>
        Clear answer cache
      </Button>
      <output className="quiet small num">
        <CacheText cache={cache} />
      </output>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title="Clear the answer cache?"
        action="Clear cache"
        onConfirm={() => clear.mutateAsync()}
      >
        Runs with “Use cached answers” will ask again, and their calls may cost money. Answers and scores of earlier runs stay as they are.
      </ConfirmDialog>
    </div>
  )
}

export function CacheText({ cache: { answers, oldest_at } }: Pick<StorageUse, 'cache'>) {
  if (answers === 0 || oldest_at === null) return 'Holds no answers. Runs with “Use cached answers” fill it.'
  return (
    <>
      Holds {formatCount(answers)} {answers === 1 ? 'answer' : 'answers'} for runs with “Use cached answers”, the oldest from{' '}
      <RelativeTime at={oldest_at} />.
    </>
  )
}

export function CompactionText({ use, mayAdminister }: { readonly use: StorageUse; readonly mayAdminister: boolean }) {
  const { compaction } = use
  if (compaction === null) {
    return mayAdminister ? 'Returns free space to the disk. Assay stays usable.' : 'An owner or admin can do this.'
  }
  if (compaction.finished_at === null) return `Compacting: ${formatBytes(compaction.returned_bytes)} freed so far.`
  return (
    <>
      {compaction.returned_bytes === 0 ? 'Nothing to free' : `${formatBytes(compaction.returned_bytes)} freed`},{' '}
      <RelativeTime at={compaction.finished_at} />.
    </>
  )
}
