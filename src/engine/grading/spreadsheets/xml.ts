/** An element of the few kinds that a workbook's parts are read by. */
export interface Element {
  readonly attributes: Readonly<Record<string, string>>
  readonly content: string
}

/**
 * Elements of one name, whatever their prefix, in order; those inside another of the same name are part of its content. Reads the plain
 * XML as spreadsheet programs write it: no custom entities, no processing instructions.
 */
export function elements(xml: string, name: string): Element[] {
  const found: Element[] = []
  const opening = new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])([^<>]*)>`, 'g')
  for (let match = opening.exec(xml); match; match = opening.exec(xml)) {
    const inside = match[1] ?? ''
    if (inside.endsWith('/')) {
      found.push({ attributes: attributesOf(inside), content: '' })
      continue
    }
    const closing = new RegExp(`</(?:\\w+:)?${name}\\s*>`, 'g')
    closing.lastIndex = opening.lastIndex
    const end = closing.exec(xml)
    found.push({ attributes: attributesOf(inside), content: xml.slice(opening.lastIndex, end?.index ?? xml.length) })
    opening.lastIndex = end ? closing.lastIndex : xml.length
  }
  return found
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    // From the start of each name only: within one that nothing follows, each of its characters would be tried.
    [...text.matchAll(/(?<![\w:])([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, key = '', a, b]) => [key, decode(a ?? b ?? '')]),
  )
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Text with its five named entities and numbered characters resolved. */
export function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));/g, (whole, hex?: string, digits?: string, name?: string) => {
    if (name !== undefined) return named[name] ?? whole
    const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
