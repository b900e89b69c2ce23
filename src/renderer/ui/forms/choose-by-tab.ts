import type { KeyboardEvent } from 'react'

/** Tab takes what typing or the arrows marked in an open list, as Enter does, and goes on: leaving would drop what was typed. */
export function chooseByTab({ key, currentTarget: field }: KeyboardEvent<HTMLInputElement>): void {
  const list = key === 'Tab' ? document.getElementById(field.getAttribute('aria-controls') ?? '') : null
  const marked = list?.querySelector<HTMLElement>('[data-combobox-selected]')
  // A field that was emptied marks its first option. What a list of several has already would be taken off it.
  const isMeant = field.value !== '' || marked?.id === field.getAttribute('aria-activedescendant')
  if (isMeant && marked?.ariaSelected === 'false') marked.click()
}
