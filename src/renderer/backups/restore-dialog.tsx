import type { Backup } from '../../contract/index.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { useRestoreBackup } from './backups.queries.ts'

/** Says what going back replaces, before it does. */
export function RestoreDialog({ backup, onClose }: { readonly backup: Backup | null; readonly onClose: () => void }) {
  const restore = useRestoreBackup()
  return (
    <ConfirmDialog
      opened={backup !== null}
      onClose={onClose}
      title="Go back to this backup?"
      action="Restore"
      onConfirm={async () => {
        if (backup) await restore.mutateAsync(backup.name)
      }}
    >
      {backup ? (
        <>
          <p style={{ marginTop: 0 }}>
            Every workspace of this machine becomes what it was <RelativeTime at={backup.created_at} />: runs, results, imports, connections
            and purchases made since then are no longer there. Keys that were revoked and people who were removed stay out.
          </p>
          <p style={{ marginBottom: 0 }}>
            The current database is kept as a backup, so that you can undo this. The backup is checked first; if it is damaged, nothing
            changes. Then Assay stops for a few seconds and starts again. It must not be carrying out a run.
          </p>
        </>
      ) : null}
    </ConfirmDialog>
  )
}
