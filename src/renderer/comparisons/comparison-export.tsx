import { useState } from 'react'
import type { Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { saveFile } from '../api/download.ts'
import { exportFileName } from '../results/export-file-name.ts'
import { ExportButton } from '../ui/page/export-button.tsx'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'

const formats = [
  { format: 'html', title: 'Report (HTML)', detail: 'One file with charts and flips; opens without a network' },
  { format: 'csv', title: 'Tasks (CSV)', detail: 'A row per aligned task; cells that look like formulas are escaped' },
  { format: 'json', title: 'Everything (JSON)', detail: 'Complete and lossless' },
] as const
type Format = (typeof formats)[number]['format']

export function ComparisonExport({ comparison }: { readonly comparison: Comparison }) {
  const [busy, setBusy] = useState(false)
  const save = async (format: Format): Promise<void> => {
    setBusy(true)
    const name = exportFileName(comparison, 1, format)
    try {
      if (await saveFile('exportComparison', { params: { comparison_id: comparison.id }, query: { format } }, name))
        notifyDone(`Saved ${name}.`)
    } catch (error) {
      notifyFailed('The export was not saved', error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <ExportButton formats={formats} busy={busy} onSave={format => void save(format)}>
      Export
    </ExportButton>
  )
}
