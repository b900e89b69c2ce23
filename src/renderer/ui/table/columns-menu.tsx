import { ActionIcon, Checkbox, Popover } from '@mantine/core'
import { IconColumns3, IconMinus, IconPlus } from '@tabler/icons-react'

interface MenuColumn {
  readonly id: string
  readonly title: string
  readonly fixed: boolean
  readonly visible: boolean
  readonly width: number
}

interface ColumnsMenuProps {
  readonly columns: readonly MenuColumn[]
  readonly onVisible: (column: string, visible: boolean) => void
  /** Widths without dragging. */
  readonly onWidth: (column: string, width: number) => void
  readonly onReset: () => void
}

const STEP = 24

export function ColumnsMenu({ columns, onVisible, onWidth, onReset }: ColumnsMenuProps) {
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <ActionIcon variant="default" size={32} aria-label="Columns" title="Columns">
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <div className="stack" style={{ gap: 8 }}>
          {columns.map(({ id, title, fixed, visible, width }) => (
            <div key={id} className="row" style={{ justifyContent: 'space-between', gap: 24 }}>
              <Checkbox label={title} checked={visible} disabled={fixed} onChange={event => onVisible(id, event.currentTarget.checked)} />
              <span className="row" style={{ gap: 4 }}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  onClick={() => onWidth(id, width - STEP)}
                  aria-label={`Make ${title} narrower`}
                >
                  <IconMinus size={14} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  onClick={() => onWidth(id, width + STEP)}
                  aria-label={`Make ${title} wider`}
                >
                  <IconPlus size={14} />
                </ActionIcon>
              </span>
            </div>
          ))}
          <button type="button" className="table-sort" onClick={onReset}>
            Reset columns
          </button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
