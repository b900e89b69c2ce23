import { useNavigate } from 'react-router'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { notifyDone } from '../ui/page/notify.ts'
import { useDeleteRun } from './run-changes.queries.ts'

interface DeleteRunProps {
  readonly run: Run
  readonly opened: boolean
  readonly onClose: () => void
}

export function DeleteRun({ run, opened, onClose }: DeleteRunProps) {
  const navigate = useNavigate()
  const remove = useDeleteRun(run.id)
  const confirm = async (): Promise<void> => {
    await remove.mutateAsync()
    void navigate('/runs')
    notifyDone(`Deleted “${run.name}”.`)
  }
  const { result_version: versions, parts } = run
  return (
    <ConfirmDialog opened={opened} onClose={onClose} title={`Delete “${run.name}”?`} action="Delete run" onConfirm={confirm}>
      <div className="stack">
        <div>
          Deleted permanently: {formatCount(run.progress.frozen)} samples with their transcripts and scores
          {versions === null ? '' : versions === 1 ? ', its result' : `, all ${versions} versions of its result`}
          {parts.length === 0 ? '' : `, and ${parts.length === 1 ? 'its retry' : `its ${parts.length} retries`}`}.
        </div>
        <div>
          Kept: ledger entries, exported files, and comparisons and evaluations, which have records of their own. To hide it from lists,
          archive it instead.
        </div>
      </div>
    </ConfirmDialog>
  )
}
