import { type ComponentProps, useLayoutEffect, useRef } from 'react'

const fields = ['input:not([type="hidden"], [type="file"])', 'textarea', 'select']
  .map(field => `${field}:not(:disabled, [tabindex="-1"])`)
  .join()

/** The element of every dialog's body. The dialog opens on its first field, unless something in it has `data-autofocus`. */
export function DialogBody(props: ComponentProps<'div'>) {
  const body = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const node = body.current
    if (!node || markFirst(node)) return
    // Fields that are loaded with the dialog: its first button has the focus until they come.
    const observer = new MutationObserver(() => {
      const field = markFirst(node)
      if (!field) return
      observer.disconnect()
      const { activeElement } = document
      if (!node.contains(activeElement) && node.closest('[role="dialog"]')?.contains(activeElement)) field.focus({ preventScroll: true })
    })
    observer.observe(node, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  return <div {...props} ref={body} />
}

/** Says to Mantine's focus trap where the focus begins; null where nothing can be filled in yet. */
function markFirst(body: HTMLElement): HTMLElement | null {
  const marked = body.querySelector<HTMLElement>('[data-autofocus]')
  if (marked) return marked
  const first = body.querySelector<HTMLInputElement>(fields)
  const field = first?.type === 'radio' ? (body.querySelector<HTMLInputElement>(`[name="${first.name}"]:checked`) ?? first) : first
  field?.setAttribute('data-autofocus', 'true')
  return field
}
