import { useState } from 'react'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { ExportButton } from '../ui/page/export-button.tsx'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { exportFileName, type ExportFormat } from './export-file-name.ts'
import { formatsNote, offeredFormats, saveAs } from './export-formats.ts'

/** Saves the latest result of several runs, a file for each. */
export function ExportRuns({ runs }: { readonly runs: readonly Run[] }) {
  const [busy, setBusy] = useState(false)
  const save = async (format: ExportFormat): Promise<void> => {
    setBusy(true)
    let saved = 0
    try {
      for (const run of runs) {
        const version = run.result_version ?? 1
        if (!(await saveAs(run.id, version, format, exportFileName(run, version, format)))) break
        saved++
      }
      if (saved > 0) notifyDone(saved === 1 ? 'Saved 1 file.' : `Saved ${saved} files.`)
    } catch (error) {
      notifyFailed(saved === 0 ? 'The export was not saved' : `Saved ${saved} of ${runs.length} files`, error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <ExportButton formats={offeredFormats()} note={formatsNote} busy={busy} onSave={format => void save(format)}>
      {`Export ${runs.length}`}
    </ExportButton>
  )
}
