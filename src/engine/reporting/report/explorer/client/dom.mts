import { textSegments } from '../../../../../lib/format/visible-text.ts'

type Attributes = Record<string, string | boolean>

/** Makes an element. Attribute values come from this program; texts become text nodes, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === 'string') made.setAttribute(attribute, value)
    else made.toggleAttribute(attribute, value)
  }
  made.append(...children)
  return made
}

/** Text that others wrote, as nodes: hidden characters become marked escapes. */
export function untrusted(text: string): (Node | string)[] {
  return textSegments(text).map(segment =>
    segment.kind === 'text' ? segment.text : element('span', { class: 'hidden-char' }, segment.text),
  )
}

/** The element of the page with this id; the page is made with all of them. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = optionalById(id, kind)
  if (found === null) throw new Error(`the report has no element "${id}"`)
  return found
}

/** Like `byId`, for what a page may do without. */
export function optionalById<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind | null {
  const found = document.getElementById(id)
  return found instanceof kind ? found : null
}
