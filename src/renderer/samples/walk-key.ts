import type { KeyboardEvent } from 'react'

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'> & { readonly target: EventTarget | null }

/**
 * The step that `j` and `k` ask for: 1 to the next sample, −1 to the previous one, null for every other key and wherever letters are
 * typed. The list itself listens to more keys.
 */
export function walkKey({ key, ctrlKey, metaKey, altKey, target }: Key): 1 | -1 | null {
  if (ctrlKey || metaKey || altKey) return null
  if (target instanceof Element && target.closest('input, textarea, select, [role="grid"], [role="menu"], [role="listbox"]')) return null
  return key === 'j' ? 1 : key === 'k' ? -1 : null
}
