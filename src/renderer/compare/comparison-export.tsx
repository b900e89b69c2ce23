import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { Comparison } from '../../contract/index.ts'
import { saveFile } from '../api/download.ts'
import { exportFileName } from '../results/export-file-name.ts'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'

const formats = [
  { format: 'html', title: 'Report (HTML)', detail: 'One file with charts and flips; opens without a network' },
  { format: 'csv', title: 'Tasks (CSV)', detail: 'A row per aligned task; cells that read as formulas are neutralised' },
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
    <Menu width={320}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          loading={busy}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map(({ format, title, detail }) => (
          <Menu.Item key={format} onClick={() => void save(format)}>
            {title}
            <div className="quiet small">{detail}</div>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
