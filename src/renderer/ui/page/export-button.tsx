import { Button, Loader, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload } from '../pictures/icons.tsx'

interface ExportButtonProps<Format extends string> {
  readonly formats: readonly { readonly format: Format; readonly title: string; readonly detail: string }[]
  /** What holds for all formats. */
  readonly note?: string
  readonly busy: boolean
  readonly onSave: (format: Format) => void
  readonly children: string
}

/** A button that opens the formats something can be saved in, each with what it holds. */
export function ExportButton<Format extends string>({ formats, note, busy, onSave, children }: ExportButtonProps<Format>) {
  return (
    // A button that is disabled meanwhile would lose the focus that the closing menu gives back to it.
    <Menu width={320} disabled={busy}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={busy ? <Loader size={16} aria-hidden /> : <IconDownload size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-busy={busy}
        >
          {children}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="min(70vh, 480px)" style={{ overflowY: 'auto' }}>
        {formats.map(({ format, title, detail }) => (
          <Menu.Item key={format} onClick={() => onSave(format)}>
            {title}
            <div className="quiet small">{detail}</div>
          </Menu.Item>
        ))}
        {note === undefined ? null : <Menu.Label>{note}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}
