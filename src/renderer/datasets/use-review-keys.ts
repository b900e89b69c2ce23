import { useEffect, useEffectEvent } from 'react'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import type { ReviewQueue } from './use-review-queue.ts'

/** The value of a digit key: the label in that place of the menu, or the score itself. */
export function valueOfDigit(
  { labels, score_range: range }: Pick<Dataset, 'labels' | 'score_range'>,
  digit: number,
): string | number | null {
  if (labels) return labels[digit - 1] ?? null
  return range && digit >= range[0] && digit <= range[1] ? digit : null
}

/** J and K walk, A approves, R rejects, E edits, 1 to 9 label, U undoes; not while something is typed or a dialog is open. */
export function useReviewKeys(dataset: Dataset, queue: ReviewQueue, onEdit: () => void): void {
  const act = (key: string): boolean => {
    switch (key) {
      case 'j':
        queue.next()
        return true
      case 'k':
        queue.previous()
        return true
      case 'a':
        void queue.decide('approve')
        return true
      case 'r':
        void queue.decide('reject')
        return true
      case 'e':
        onEdit()
        return true
      case 'u':
        void queue.undo()
        return true
      default:
        return false
    }
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
    const value = /^[1-9]$/.test(event.key) ? valueOfDigit(dataset, Number(event.key)) : null
    if (value !== null) void queue.label(value)
    else if (!act(event.key.toLowerCase())) return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=menu]') !== null
}
