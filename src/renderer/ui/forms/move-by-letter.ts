import type { KeyboardEvent as ReactKeyboardEvent } from 'react'
import { flushSync } from 'react-dom'

/** Milliseconds after which a letter begins another word. */
const wordPauseMs = 700

const noWord = { field: '', text: '', at: 0 }
let word = noWord

/**
 * Letters typed in a list without a search mark the option that begins with them, as in a list of the browser; the same letter again
 * marks the next. The list keeps its mark to itself, so the mark is moved there by the key that moves it.
 */
export function moveByLetter(event: ReactKeyboardEvent<HTMLInputElement>): void {
  const { key, ctrlKey, altKey, metaKey, timeStamp, currentTarget: field } = event
  if (!event.isTrusted) return
  const isPlain = (!ctrlKey && !altKey) || event.getModifierState('AltGraph')
  const isLetter = key.length === 1 && key !== ' ' && isPlain && !metaKey
  const isSameWord = word.field === field.id && timeStamp - word.at < wordPauseMs
  word = isLetter ? { field: field.id, text: (isSameWord ? word.text : '') + key.toLowerCase(), at: timeStamp } : noWord
  if (!isLetter || !field.readOnly) return
  if (field.ariaExpanded !== 'true') moveDown(field)
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '')
  const options = [...(list?.querySelectorAll<HTMLElement>('[data-combobox-option]:not([data-combobox-disabled])') ?? [])]
  const isOneLetter = new Set(word.text).size === 1
  const begin = isOneLetter ? key.toLowerCase() : word.text
  const from = options.findIndex(isMarked) + (isOneLetter ? 1 : 0)
  const inOrder = [...options.slice(Math.max(0, from)), ...options.slice(0, Math.max(0, from))]
  const wanted = inOrder.find(option => option.textContent.toLowerCase().startsWith(begin))
  if (wanted === undefined) return
  for (const _ of options) if (!isMarked(wanted)) moveDown(field)
}

/**
 * Before Enter chooses what typing marked: the letter that opens a list also makes it forget its mark, a moment after it is drawn, and
 * Enter would then do nothing. Down and up again, the list has it.
 */
export function holdMark({ key, nativeEvent, currentTarget: field }: ReactKeyboardEvent<HTMLInputElement>): void {
  if (key !== 'Enter' || nativeEvent.isComposing || field.value === '' || field.ariaExpanded !== 'true') return
  const marked = document.getElementById(field.getAttribute('aria-controls') ?? '')?.querySelector<HTMLElement>('[data-combobox-selected]')
  if (!marked || marked.id === field.getAttribute('aria-activedescendant')) return
  moveDown(field)
  if (!isMarked(marked)) press(field, 'ArrowUp')
}

const moveDown = (field: HTMLInputElement): void => press(field, 'ArrowDown')

function press(field: HTMLInputElement, key: 'ArrowDown' | 'ArrowUp'): void {
  flushSync(() => field.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true })))
}

function isMarked(option: HTMLElement): boolean {
  return option.dataset['comboboxSelected'] !== undefined
}
