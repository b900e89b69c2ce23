import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'

interface ExportButtonProps<Format extends string> {
  readonly formats: readonly { readonly format: Format; readonly title: string; readonly detail: string }[]
  readonly busy: boolean
  readonly onSave: (format: Format) => void
  readonly children: string
}

/** A button that opens the formats something can be saved in, each with what it holds. */
export function ExportButton<Format extends string>({ formats, busy, onSave, children }: ExportButtonProps<Format>) {
  return (
    <Menu width={320}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          loading={busy}
        >
          {children}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map(({ format, title, detail }) => (
          <Menu.Item key={format} onClick={() => onSave(format)}>
            {title}
            <div className="quiet small">{detail}</div>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
