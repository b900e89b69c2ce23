/** Marks graded text as data: a line with a random boundary before and after it, which occurs in none of the texts. */
export interface Fence {
  readonly boundary: string
  wrap(text: string): string
}

/**
 * @param texts everything that will be fenced
 * @param draw makes a boundary of at least 128 random bits; called again while a text contains it
 */
export function createFence(texts: readonly string[], draw: () => string): Fence {
  let boundary = draw()
  while (texts.some(text => text.includes(boundary))) boundary = draw()
  return { boundary, wrap: text => `<<<${boundary}\n${text}\n${boundary}>>>` }
}

/** A reply without the fenced text that the judge repeated, so that nothing inside it is taken for the judge's own words. */
export function withoutFenced(reply: string, boundary: string): string {
  const [before = '', ...rest] = reply.split(`<<<${boundary}`)
  return [
    before,
    ...rest.map(part => (part.includes(`${boundary}>>>`) ? part.slice(part.lastIndexOf(`${boundary}>>>`) + boundary.length + 3) : '')),
  ].join('')
}
