import { ActionIcon, Checkbox, Popover } from '@mantine/core'
import { checkField } from '../forms/fields.ts'
import { IconButton } from '../forms/icon-button.tsx'
import { IconColumns3, IconMinus, IconPlus } from '../pictures/icons.tsx'
import type { Column } from './column.ts'
import { type TablePreferences, widthOf } from './use-preferences.ts'

interface ColumnsMenuProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly shown: readonly Column<Row>[]
  readonly preferences: TablePreferences
}

/** Narrowest that a column may be, and how far a press goes; pixels. */
const NARROWEST = 48
const STEP = 24

/** Which columns are shown and how wide, without dragging. */
export function ColumnsMenu<Row>({ columns, shown, preferences }: ColumnsMenuProps<Row>) {
  const { sizing, setSizing, setVisible, reset } = preferences
  const widen = (column: Column<Row>, by: number): void =>
    setSizing(before => ({ ...before, [column.id]: Math.max(NARROWEST, widthOf(column, sizing) + by) }))
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <ActionIcon variant="default" size={32} aria-label="Columns" title="Columns">
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <div className="stack" style={{ gap: 8 }}>
          {columns.map(column => (
            <div key={column.id} className="row" style={{ justifyContent: 'space-between', gap: 24 }}>
              <Checkbox
                label={column.title}
                disabled={column.rowHeader === true}
                {...checkField(shown.includes(column), isOn => setVisible(column.id, isOn))}
              />
              <span className="row" style={{ gap: 4 }}>
                <IconButton
                  icon={IconMinus}
                  iconSize={14}
                  label={`Make ${column.title} narrower`}
                  size="sm"
                  onClick={() => widen(column, -STEP)}
                />
                <IconButton
                  icon={IconPlus}
                  iconSize={14}
                  label={`Make ${column.title} wider`}
                  size="sm"
                  onClick={() => widen(column, STEP)}
                />
              </span>
            </div>
          ))}
          <button type="button" className="table-sort" onClick={reset}>
            Reset columns
          </button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
