import { showHidden } from '../../../lib/format/visible-text.ts'

/** Everything that Markdown, and HTML inside it, could read as more than text where it is not the first of a line. */
const special = /[\\`*_{}[\]()#|<>~&@:$]/g

/**
 * Text that others wrote as one line of Markdown: no markup, link, mention, table cell or HTML can come of it. Character references are
 * read as text everywhere; backslashes would be shown in tables and by some readers.
 */
export function markdownText(text: string): string {
  return showHidden(text.toWellFormed())
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(special, character => `&#${character.charCodeAt(0)};`)
}
