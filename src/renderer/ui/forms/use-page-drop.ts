import { useEffect, useState } from 'react'

/**
 * Lets files be dropped anywhere in the window: an event outside of what takes files itself goes to `onDrop`. Without it the browser
 * opens the file in place of the page, or takes the drop without a word. Returns whether files are over the window.
 */
export function usePageDrop(onDrop: (event: DragEvent) => void): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const hover = (event: DragEvent): void => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent): void => {
      // From one element to the next there is another element; out of the window there is none.
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      if (!holdsFiles(event)) return
      setOver(false)
      const isTaken = event.target instanceof Element && event.target.closest('.file-drop') !== null
      if (isTaken) return
      event.preventDefault()
      onDrop(event)
    }
    const listeners = { dragenter: hover, dragover: hover, dragleave: leave, drop } as const
    for (const [name, listener] of Object.entries(listeners)) document.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(listeners)) document.removeEventListener(name, listener as EventListener)
    }
  }, [onDrop])
  return over
}

function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}
