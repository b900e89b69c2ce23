import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Backup, Backups } from '../../contract/backups/backups.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { useCheckBackup } from './backups.queries.ts'
import { RestoreDialog } from './restore-dialog.tsx'

const kindWords: Readonly<Record<Backup['kind'], string>> = {
  manual: 'Manual',
  scheduled: 'Scheduled',
  before_migration: 'Before an update',
  before_restore: 'Before a restore',
}

interface BackupsTableProps {
  readonly backups: Backups
  readonly mayAdminister: boolean
  readonly mayRestore: boolean
}

/** Each backup with what is known of it, and the way back to it. */
export function BackupsTable({ backups, mayAdminister, mayRestore }: BackupsTableProps) {
  const [chosen, setChosen] = useState<Backup | null>(null)
  const check = useCheckBackup()
  const isBusy = backups.restore !== null
  const columns: readonly Column<Backup>[] = [
    { id: 'made', title: 'Made', width: 112, rowHeader: true, cell: backup => <RelativeTime at={backup.created_at} /> },
    {
      id: 'kind',
      title: 'Backup',
      width: 280,
      grow: true,
      cell: backup => (
        <>
          {kindWords[backup.kind]}
          <div className="small">
            <Identifier value={backup.name} what="file name" shown={64} />
          </div>
        </>
      ),
    },
    { id: 'bytes', title: 'Size', width: 70, align: 'end', cell: backup => <span className="num">{formatBytes(backup.bytes)}</span> },
    {
      id: 'checked',
      title: 'Checked',
      width: 175,
      cell: backup => <Checked backup={backup} isRunning={backups.checking === backup.name} />,
    },
    {
      id: 'actions',
      title: 'Actions',
      width: 175,
      align: 'end',
      cell: backup => (
        <div className="row" style={{ justifyContent: 'flex-end', flexWrap: 'nowrap' }}>
          {mayAdminister ? (
            <Button
              size="compact-sm"
              variant="subtle"
              disabled={backups.checking !== null || isBusy || backup.newer}
              aria-label={`Check the backup ${backup.name}`}
              onClick={() => check.mutate(backup.name, { onError: error => notifyFailed('Couldn’t start the check', error) })}
            >
              Check
            </Button>
          ) : null}
          {mayRestore ? (
            <Button
              size="compact-sm"
              variant="default"
              disabled={isBusy || backup.newer || backup.fault !== null}
              aria-label={`Restore the backup ${backup.name}`}
              onClick={() => setChosen(backup)}
            >
              Restore…
            </Button>
          ) : null}
        </div>
      ),
    },
  ]
  return (
    <>
      <PlainTable label="Backups" columns={columns} rows={backups.items} rowId={backup => backup.name} />
      <RestoreDialog backup={chosen} onClose={() => setChosen(null)} />
    </>
  )
}

function Checked({ backup, isRunning }: { readonly backup: Backup; readonly isRunning: boolean }) {
  if (isRunning) return <span className="quiet">being checked</span>
  if (backup.newer)
    return (
      <>
        <StatusBadge status={{ word: 'Newer', tone: 'neutral' }} />
        <div className="quiet small">Made by a newer Assay. Update Assay to check or restore it.</div>
      </>
    )
  if (backup.checked_at === null) return <StatusBadge status={{ word: 'Not yet', tone: 'neutral' }} />
  return (
    <>
      <div className="row">
        <StatusBadge status={backup.fault === null ? { word: 'Sound', tone: 'pass' } : { word: 'Damaged', tone: 'fail' }} />
        <span className="quiet small">
          <RelativeTime at={backup.checked_at} />
        </span>
      </div>
      {backup.fault === null ? null : <span className="quiet small">{backup.fault}</span>}
      {backup.proof === 'valid' ? null : (
        <span className="quiet small">{backup.proof === 'missing' ? 'No MAC' : 'Does not match its MAC'}</span>
      )}
    </>
  )
}
