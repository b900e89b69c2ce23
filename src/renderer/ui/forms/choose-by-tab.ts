import type { KeyboardEvent } from 'react'

/**
 * Tab takes what typing or the arrows marked in an open list, as Enter does, and moves the focus as always: what was typed would be
 * dropped. Keys of the window and of an input method leave the field as it is.
 */
export function chooseByTab(event: KeyboardEvent<HTMLInputElement>): void {
  const { key, currentTarget: field } = event
  if (key !== 'Tab' || event.ctrlKey || event.altKey || event.metaKey || event.nativeEvent.isComposing) return
  const marked = document.getElementById(field.getAttribute('aria-controls') ?? '')?.querySelector<HTMLElement>('[data-combobox-selected]')
  // A field that was emptied marks its first option. What a list of several has already would be taken off it.
  const isMeant = field.value !== '' || marked?.id === field.getAttribute('aria-activedescendant')
  if (isMeant && marked?.getAttribute('aria-selected') === 'false') marked.click()
}
