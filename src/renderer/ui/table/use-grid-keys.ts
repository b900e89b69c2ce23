import { type KeyboardEvent, useCallback, useState } from 'react'

interface GridKeysOptions {
  readonly count: number
  /** Rows that fit into the window, for Page Up and Page Down. */
  readonly pageSize: number
  readonly openIndex: number
  readonly scrollTo: (index: number) => void
  readonly onOpen: ((index: number) => void) | undefined
  readonly onMark: ((index: number) => void) | undefined
}

/**
 * Moving through rows by keyboard. Focus stays on the table and the active row is named by `aria-activedescendant`, so that a row
 * that scrolls out of the window and is taken out of the document does not take the focus with it.
 */
export function useGridKeys({ count, pageSize, openIndex, scrollTo, onOpen, onMark }: GridKeysOptions) {
  const [moved, setMoved] = useState<number | null>(null)
  // Until the pointer or another element is used.
  const [walked, setWalked] = useState(false)
  const active = Math.min(moved ?? Math.max(openIndex, 0), count - 1)

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const target = keyTarget(event.key, active, count, pageSize)
    if (target !== null) {
      event.preventDefault()
      setMoved(target)
      setWalked(true)
      scrollTo(target)
      // With a row open beside the list, moving on opens the next one.
      if (openIndex >= 0 && target !== openIndex) onOpen?.(target)
    } else if (event.key === 'Enter' && active >= 0) {
      event.preventDefault()
      onOpen?.(active)
    } else if (event.key === ' ' && onMark && active >= 0) {
      event.preventDefault()
      onMark(active)
    }
  }
  const setActive = useCallback((index: number | null): void => {
    setMoved(index)
    setWalked(false)
  }, [])
  return { active, setActive, walked, onKeyDown, onBlur: () => setWalked(false) }
}

/** Row that a key moves to, or null for a key that does not move. */
export function keyTarget(key: string, active: number, count: number, pageSize: number): number | null {
  if (count === 0) return null
  const clamp = (index: number): number => Math.max(0, Math.min(count - 1, index))
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return clamp(active + 1)
    case 'ArrowUp':
    case 'k':
      return clamp(active - 1)
    case 'PageDown':
      return clamp(active + pageSize)
    case 'PageUp':
      return clamp(active - pageSize)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
