import { showHidden } from '../../../lib/format/visible-text.ts'

/** Everything that Markdown, and HTML inside it, could read as more than text. */
const special = /[\\`*_{}[\]()#+\-.!|<>~&@:$]/g

/** Text that others wrote as one line of Markdown: no markup, link, mention, table cell or HTML can come of it. */
export function markdownText(text: string): string {
  return showHidden(text.toWellFormed())
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(special, character => entityOf(character))
}

/** A character reference is read as text everywhere; a backslash would be shown in tables and by some readers. */
function entityOf(character: string): string {
  return /[\-.!+]/.test(character) ? character : `&#${character.charCodeAt(0)};`
}
