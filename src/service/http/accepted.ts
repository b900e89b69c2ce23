/** Whether an Accept header ranks text/html above application/json, as a browser's does (RFC 9110, section 12.5.1). */
export function prefersHtml(accept: string | undefined): boolean {
  return weight(accept, 'text/html') > weight(accept, 'application/json')
}

/** Whether an Accept-Encoding header names the coding itself; `*` alone does not ask for it. */
export function accepts(header: string | string[] | undefined, coding: string): boolean {
  return rangesOf([header ?? ''].flat().join(',')).some(({ name, q }) => name === coding && q > 0)
}

/** The weight of the most specific range that covers the type; 0 where none does. */
function weight(accept: string | undefined, type: string): number {
  const ranges = rangesOf(accept ?? '*/*')
  const [family = ''] = type.split('/')
  for (const name of [type, `${family}/*`, '*/*']) {
    const range = ranges.find(entry => entry.name === name)
    if (range) return range.q
  }
  return 0
}

function rangesOf(header: string): { readonly name: string; readonly q: number }[] {
  return header.split(',').map(range => {
    const [name = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    const q = Number(parameters.find(parameter => parameter.startsWith('q='))?.slice(2) ?? 1)
    return { name, q: Number.isFinite(q) ? q : 0 }
  })
}
