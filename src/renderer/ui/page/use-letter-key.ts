import { useEffect } from 'react'

/** Acts on a letter pressed by itself, wherever no text is typed. */
export function useLetterKey(letter: string, act: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable="true"]')
      if (event.key !== letter || typing || event.ctrlKey || event.metaKey || event.altKey) return
      act()
    }
    globalThis.addEventListener('keydown', onKeyDown)
    return () => globalThis.removeEventListener('keydown', onKeyDown)
  }, [letter, act])
}
