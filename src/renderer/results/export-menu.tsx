import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { Run } from '../../contract/index.ts'
import { saveFile } from '../api/download.ts'
import { ExportButton } from '../ui/page/export-button.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { useAddress } from '../ui/table/use-address.ts'
import { exportFileName, type ExportFormat } from './export-file-name.ts'
import { chosenVersion } from './result-versions.ts'
import { printReport } from './print-report.ts'

const formats: readonly { readonly format: ExportFormat; readonly title: string; readonly detail: string }[] = [
  { format: 'html', title: 'Report (HTML)', detail: 'One file with charts and transcripts; opens without a network' },
  { format: 'pdf', title: 'Report (PDF)', detail: 'The same report, printed' },
  { format: 'csv', title: 'Samples (CSV)', detail: 'A row per sample; cells that read as formulas are neutralised' },
  { format: 'json', title: 'Everything (JSON)', detail: 'Complete and lossless' },
  { format: 'parquet', title: 'Samples (Parquet)', detail: 'A row per sample, for data frames' },
  { format: 'markdown', title: 'Summary (Markdown)', detail: 'Scores, cost and the samples that did not pass' },
  { format: 'junit', title: 'JUnit (XML)', detail: 'A test case per sample, for CI systems' },
  { format: 'inspect', title: 'Inspect log (.eval)', detail: 'Opens in Inspect’s log viewer' },
  { format: 'lm_eval', title: 'lm-evaluation-harness (JSON)', detail: 'Results with samples' },
  { format: 'promptfoo', title: 'promptfoo (JSON)', detail: 'Results, version 3' },
]

/** Saves the shown result version as a file. */
export function ExportMenu({ run, latestVersion }: { readonly run: Run; readonly latestVersion: number }) {
  const { get } = useAddress()
  const [busy, setBusy] = useState(false)
  const version = chosenVersion(get('version'), latestVersion)
  const save = async (format: ExportFormat): Promise<void> => {
    setBusy(true)
    const name = exportFileName(run, version, format)
    // Making a report of a big run takes seconds, and its size is only known at the end.
    const id = notifications.show({ message: `Preparing ${name} …`, loading: true, autoClose: false, withCloseButton: false })
    try {
      const saved = await saveAs(run.id, version, format, name)
      if (saved) notifications.update({ id, message: `Saved ${name}.`, loading: false, autoClose: 4_000, withCloseButton: true })
      else notifications.hide(id)
    } catch (error) {
      notifications.hide(id)
      notifyFailed('The export was not saved', error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <ExportButton
      formats={formats.filter(({ format }) => format !== 'pdf' || window.assay)}
      busy={busy}
      onSave={format => void save(format)}
    >
      {version === latestVersion ? 'Export' : `Export version ${version}`}
    </ExportButton>
  )
}

/** PDF is printed by the desktop app from the HTML report; the service makes the other formats. */
function saveAs(runId: string, version: number, format: ExportFormat, name: string): Promise<boolean> {
  switch (format) {
    case 'pdf':
      if (!window.assay) throw new Error('A PDF can only be printed in the desktop app.')
      return printReport(window.assay, runId, version, name)
    case 'html':
    case 'csv':
    case 'json':
      return saveFile('exportRun', { params: { run_id: runId }, query: { format, version } }, name)
    default:
      return saveFile('exportRunAs', { params: { run_id: runId, format }, query: { version } }, name)
  }
}
