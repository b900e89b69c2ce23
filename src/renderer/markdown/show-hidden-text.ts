import type { Element, ElementContent, Root, RootContent } from 'hast'
import { textSegments } from '../../lib/format/visible-text.ts'
import { isMaths } from './is-maths.ts'

/** Makes text of HTML, marks characters that would hide or reorder something, and drops ids, which two transcripts on a page would share. */
export function showHiddenText() {
  return (tree: Root): void => {
    tree.children = tree.children.flatMap(shown)
  }
}

function shown<Child extends RootContent>(child: Child): (Child | ElementContent)[] {
  const node: RootContent = child
  if (node.type === 'text' || node.type === 'raw') return visible(node.value)
  return node.type === 'element' ? [shownElement(node)] : [child]
}

function shownElement(element: Element): Element {
  const { id: _, ...properties } = element.properties
  return { ...element, properties, children: isMaths(element) ? element.children : element.children.flatMap(child => shown(child)) }
}

function visible(text: string): ElementContent[] {
  return textSegments(text).map(segment =>
    segment.kind === 'text'
      ? { type: 'text', value: segment.text }
      : {
          type: 'element',
          tagName: 'span',
          properties: { className: ['untrusted-hidden'], title: 'A character that would not be seen' },
          children: [{ type: 'text', value: segment.text }],
        },
  )
}
