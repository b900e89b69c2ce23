import { Tooltip } from '@mantine/core'
import { type PointerEvent, useEffect, useState } from 'react'

/** Characters of a cell that a tooltip shows. */
const most = 300
/** Milliseconds on a row: who walks on sees the rows below it. */
const rest = 600

/** The text of a cell that shows only a part of it, or null. */
function cutText(cell: HTMLElement): string | null {
  const isCut = [cell, ...cell.querySelectorAll('*')].some(
    // What is inline has no size of its own.
    element => element.clientWidth > 0 && (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight),
  )
  const text = cell.innerText
  return isCut ? (text.length > most ? `${text.slice(0, most)}…` : text) : null
}

const cellOf = (target: EventTarget): HTMLElement | null => (target instanceof Element ? target.closest<HTMLElement>('th, td') : null)

/** Gives the cell under the pointer its whole text as a tooltip where it is cut and says no more by itself. */
export function showCutText({ target }: PointerEvent): void {
  const cell = cellOf(target)
  if (!cell || cell.querySelector('[title], button, input')) return
  const text = cutText(cell)
  if (text !== null) cell.title = text
}

export function hideCutText({ target }: PointerEvent): void {
  cellOf(target)?.removeAttribute('title')
}

interface CutRowProps {
  /** Element ids of the grid, and of its active row where that is in view. */
  readonly gridId: string
  readonly rowId: string | undefined
  /** Whether the keyboard moves through the grid. */
  readonly walked: boolean
}

/** What the cells of the active row cut, below it, where the keyboard rests on it. */
export function CutRow({ gridId, rowId, walked }: CutRowProps) {
  const [shown, setShown] = useState<{ readonly row: HTMLElement; readonly texts: readonly string[] } | null>(null)
  useEffect(() => {
    if (!walked || rowId === undefined) return
    const hide = (): void => setShown(null)
    const timer = setTimeout(() => {
      const row = document.getElementById(rowId)
      const texts = [...(row?.querySelectorAll<HTMLElement>('th, td') ?? [])].flatMap(cell => cutText(cell) ?? [])
      if (row && texts.length > 0) setShown({ row, texts })
    }, rest)
    const grid = document.getElementById(gridId)
    grid?.addEventListener('keydown', hide)
    return () => {
      clearTimeout(timer)
      grid?.removeEventListener('keydown', hide)
      hide()
    }
  }, [gridId, rowId, walked])
  if (!shown) return null
  return <Tooltip opened target={shown.row} position="bottom-start" label={shown.texts.map(text => <div key={text}>{text}</div>)} />
}
