import type { PointerEvent } from 'react'

/** Gives the cell under the pointer its whole text as a tooltip where it is cut and says no more by itself. */
export function showCutText({ target }: PointerEvent): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('th, td') : null
  if (!cell || cell.querySelector('[title], button, input')) return
  const isCut = [cell, ...cell.querySelectorAll('*')].some(
    // What is inline has no size of its own.
    element => element.clientWidth > 0 && (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight),
  )
  if (isCut) cell.title = cell.innerText
  else cell.removeAttribute('title')
}
