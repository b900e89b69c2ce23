import { useMemo, useState } from 'react'
import type { ColumnSizingState, Updater } from '@tanstack/react-table'
import type { Column } from './column.ts'

interface Preferences {
  readonly visibility: Readonly<Record<string, boolean>>
  readonly sizing: ColumnSizingState
}

/** Widths and shown columns of one table, kept on this machine. */
export function usePreferences<Row>(tableId: string, columns: readonly Column<Row>[]) {
  const place = `assay.table.${tableId}`
  const [preferences, setPreferences] = useState<Preferences>(() => read(place, columns))
  // The same functions until something changes: the table is drawn anew with every frame of a scroll.
  return useMemo(() => {
    const change = (next: Preferences): void => {
      setPreferences(next)
      localStorage.setItem(place, JSON.stringify(next))
    }
    return {
      ...preferences,
      setVisible: (column: string, visible: boolean) =>
        change({ ...preferences, visibility: { ...preferences.visibility, [column]: visible } }),
      setSizing: (updater: Updater<ColumnSizingState>) =>
        change({ ...preferences, sizing: typeof updater === 'function' ? updater(preferences.sizing) : updater }),
      reset: () => change({ visibility: hiddenAtFirst(columns), sizing: {} }),
    }
  }, [preferences, place, columns])
}

/** Pixels, as the reader has set them or as they are at first. */
export function widthOf<Row>(column: Column<Row>, sizing: ColumnSizingState): number {
  return sizing[column.id] ?? column.width
}

export type TablePreferences = ReturnType<typeof usePreferences>

function hiddenAtFirst<Row>(columns: readonly Column<Row>[]): Record<string, boolean> {
  return Object.fromEntries(columns.filter(column => column.hiddenAtFirst).map(column => [column.id, false]))
}

function read<Row>(place: string, columns: readonly Column<Row>[]): Preferences {
  const kept = parse(localStorage.getItem(place))
  return { visibility: { ...hiddenAtFirst(columns), ...pick(kept['visibility'], 'boolean') }, sizing: pick(kept['sizing'], 'number') }
}

function parse(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

interface Kinds {
  boolean: boolean
  number: number
}

/** Entries of the wanted type; stored data may be outdated or hand-edited. */
function pick<Kind extends keyof Kinds>(value: unknown, kind: Kind): Record<string, Kinds[Kind]> {
  if (typeof value !== 'object' || value === null) return {}
  const entries = Object.entries(value).filter((entry): entry is [string, Kinds[Kind]] => typeof entry[1] === kind)
  return Object.fromEntries(entries)
}
