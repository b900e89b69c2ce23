const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Characters that XML 1.0 cannot hold in any form, and C1 controls, which some readers refuse. */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/g

/** Text that others wrote for XML content or an attribute. Controls are written as `\x1b`; a lone surrogate becomes U+FFFD. */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(forbidden, control => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replaceAll(/[&<>"']/g, character => entities[character] ?? '')
    .replaceAll('\r', '&#13;')
}

/** An attribute: a reader would turn tabs and line ends in it into blanks. */
export function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
}
