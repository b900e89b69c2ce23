/** How many moves of the focus are remembered: enough for a note that is written, edited and deleted, each in a form or dialog. */
const MOST_ENTRIES = 24

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled):not([type="hidden"]), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'

/** On `main` while a page that was opened has no heading yet. */
export const AWAITS_HEADING = 'data-awaits-heading'

/** One place where the focus was, with its ancestors as they were, since a removed element no longer knows them. */
interface Entry {
  readonly element: HTMLElement
  readonly ancestors: readonly Element[]
  /** Position of each element of the chain among its siblings. */
  readonly positions: readonly number[]
  readonly text: string
  readonly time: number
}

/**
 * Puts the focus where a person expects it after the element that had it was removed, hidden or disabled: on the element that took
 * its place, on what opened the form or dialog that closed, on its neighbor, or on the page's heading. After a refused form, on the
 * first wrong field. Returns a function that ends it.
 */
export function keepFocus(root: Document): () => void {
  const entries: Entry[] = []
  /** When a subtree was added, in moves of the focus. */
  const births = new WeakMap<Node, number>()
  let time = 0
  let released = true
  /** Scrolled by hand since the focus moved: what is being read stays in view, and the next Tab brings the focus back. */
  let scrolledAway = false
  let refusedForm: HTMLFormElement | null = null
  let isScheduled = false

  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement) || target === root.body) return
    released = false
    scrolledAway = false
    entries.push({ ...chainOf(target), text: nameOf(target), element: target, time: ++time })
    if (entries.length > MOST_ENTRIES) entries.shift()
  }
  const check = (): void => {
    isScheduled = false
    if (refusedForm?.isConnected) {
      const wrong = refusedForm.querySelector<HTMLElement>('[aria-invalid="true"]')
      if (wrong) {
        refusedForm = null
        if (wrong !== root.activeElement) wrong.focus()
        return
      }
    }
    if (root.activeElement?.matches(`[${AWAITS_HEADING}]`)) headingOf(root)?.focus({ preventScroll: true })
    const last = entries.at(-1)
    if (released || !last || (root.activeElement !== root.body && root.activeElement !== null)) return
    if (!isFocusable(last.element)) successor(root, entries, births)?.focus({ preventScroll: scrolledAway || isHeading(last.element) })
  }
  // The browser takes the focus from what was hidden with the next frame.
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(() => setTimeout(check))
  }
  const observer = new MutationObserver(records => {
    for (const { addedNodes } of records) for (const node of addedNodes) births.set(node, time)
    schedule()
  })
  observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled', 'aria-invalid', 'hidden'] })

  /** A press on nothing takes the focus away on purpose. */
  const press = (): void => {
    refusedForm = null
    setTimeout(() => {
      const last = entries.at(-1)
      if (root.activeElement === root.body && last && isFocusable(last.element)) released = true
    })
  }
  const type = (): void => {
    refusedForm = null
  }
  const scroll = (): void => {
    scrolledAway = true
  }
  const submit = ({ target }: Event): void => {
    refusedForm = target instanceof HTMLFormElement ? target : null
    schedule()
  }
  const listeners = {
    focusin: remember,
    focusout: schedule,
    pointerdown: press,
    keydown: type,
    submit,
    wheel: scroll,
    touchmove: scroll,
  } as const
  for (const [name, listener] of Object.entries(listeners))
    root.addEventListener(name, listener as EventListener, { capture: true, passive: true })
  return () => {
    observer.disconnect()
    for (const [name, listener] of Object.entries(listeners)) root.removeEventListener(name, listener as EventListener, true)
  }
}

/** Where the focus belongs now; null while the page has nothing that could take it yet. */
function successor(root: Document, entries: readonly Entry[], births: WeakMap<Node, number>): HTMLElement | null {
  let index = entries.length - 1
  while (index >= 0) {
    const entry = entries[index]
    if (!entry) break
    if (isFocusable(entry.element)) return entry.element
    if (isHeading(entry.element)) break
    const place = placeOf(entry)
    const twin = place && twinOf(entry, place.parent)
    if (twin) return twin
    const opener = openerOf(entry, entries, births)
    if (opener >= 0 && opener < index) {
      index = opener
      continue
    }
    return (place && neighborOf(place)) ?? headingOf(root)
  }
  return headingOf(root)
}

/** Index of what had the focus when the form or dialog around the entry was added; -1 where it was there before. */
function openerOf({ element, ancestors }: Entry, entries: readonly Entry[], births: WeakMap<Node, number>): number {
  const layer = [element, ...ancestors].filter(node => !node.isConnected && births.has(node)).at(-1)
  if (!layer) return -1
  const born = births.get(layer) ?? 0
  // A field that takes the focus as it is added has it before the addition is told.
  return entries.findLastIndex(other => other.time <= born && other.element !== layer && !other.ancestors.includes(layer))
}

interface Place {
  /** Nearest ancestor that is still in view. */
  readonly parent: Element
  readonly position: number
}

function placeOf({ element, ancestors, positions }: Entry): Place | null {
  const at = ancestors.findIndex(ancestor => ancestor.isConnected && ancestor.checkVisibility())
  const parent = ancestors[at]
  // A whole page, or a layer beside the pages, was replaced: nothing there is a neighbor.
  if (!parent?.closest('main, [role="dialog"]') || parent.matches('main') || !element) return null
  return { parent, position: positions[at] ?? 0 }
}

/** The same control after its part of the page was rendered again. */
function twinOf({ element, text }: Entry, parent: Element): HTMLElement | null {
  if (text === '') return null
  const alike = parent.querySelectorAll<HTMLElement>(element.tagName)
  return [...alike].find(other => nameOf(other) === text && isFocusable(other)) ?? null
}

/** What follows in the document, or else what precedes; the heading of the section where nothing is left in it. */
function neighborOf({ parent, position }: Place): HTMLElement | null {
  const children = [...parent.children]
  const inOrder = [...children.slice(position), ...children.slice(0, position).toReversed()]
  for (const child of inOrder) {
    const found = firstFocusable(child)
    if (found) return found
  }
  const heading = parent.matches('section, aside, [role="dialog"]') ? parent.querySelector<HTMLElement>('h1, h2, h3') : null
  if (heading) return focusableByProgram(heading)
  const above = parent.parentElement
  if (!above || above.matches('main, body')) return null
  return neighborOf({ parent: above, position: [...above.children].indexOf(parent) })
}

function firstFocusable(element: Element): HTMLElement | null {
  if (element instanceof HTMLElement && element.matches(FOCUSABLE) && isFocusable(element)) return element
  return [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].find(isFocusable) ?? null
}

function headingOf(root: Document): HTMLElement | null {
  const heading = root.querySelector<HTMLElement>('main h1') ?? root.querySelector<HTMLElement>('h1')
  return heading && focusableByProgram(heading)
}

function focusableByProgram(heading: HTMLElement): HTMLElement {
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1
  return heading
}

/** What has the focus after a navigation. A page that is read again has another heading then. */
function isHeading(element: HTMLElement): boolean {
  return element.matches('h1, main')
}

function isFocusable(element: HTMLElement): boolean {
  return (
    element.isConnected &&
    !element.matches(':disabled') &&
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest('[inert]')
  )
}

function chainOf(element: HTMLElement): Pick<Entry, 'ancestors' | 'positions'> {
  const ancestors: Element[] = []
  const positions: number[] = []
  for (let child: Element = element; child.parentElement; child = child.parentElement) {
    ancestors.push(child.parentElement)
    positions.push(Array.prototype.indexOf.call(child.parentElement.children, child))
  }
  return { ancestors, positions }
}

function nameOf(element: Element): string {
  const labels = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.labels : null
  const text = element.matches('a, button, summary') ? element.textContent.trim() : ''
  return element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? text
}
