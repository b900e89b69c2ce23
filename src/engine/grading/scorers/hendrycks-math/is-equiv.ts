const literalFixes: readonly (readonly [string, string])[] = [
  ['\n', ''],
  ['\\!', ''],
  ['\\\\', '\\'],
  ['tfrac', 'frac'],
  ['dfrac', 'frac'],
  ['\\left', ''],
  ['\\right', ''],
  ['^{\\circ}', ''],
  ['^\\circ', ''],
  ['\\$', ''],
]

/**
 * Equality of two LaTeX answers under the string rules of the MATH data set: `1/2` and `0.5` become `\frac{1}{2}`, units, degrees,
 * percent and dollar signs and `k =` go. `2.0` is not `2`, and `1,000` is not `1000`. Where a rule fails, the texts as given are compared.
 */
export function isEquiv(a: string, b: string): boolean {
  const left = normalize(a)
  const right = normalize(b)
  return left === null || right === null ? a === b : left === right
}

/** Null where the original raises: two unit texts, or a `\sqrt` or `\frac` with nothing behind it. */
function normalize(answer: string): string | null {
  let text = literalFixes.reduce((result, [from, to]) => result.replaceAll(from, to), answer)
  const unit = text.split('\\text{ ')
  if (unit.length > 2) return null
  text = (unit[0] ?? '').replaceAll('\\%', '').replaceAll('%', '').replaceAll(' .', ' 0.').replaceAll('{.', '{0.')
  if (text === '') return text
  if (text.startsWith('.')) text = `0${text}`
  const sides = text.split('=')
  if (sides.length === 2 && (sides[0] ?? '').length <= 2) text = sides[1] ?? ''
  const rooted = bracedRoots(text)
  if (rooted === null) return null
  const fractions = bracedFractions(rooted.replaceAll(' ', ''))
  if (fractions === null) return null
  return slashedFraction(fractions === '0.5' ? '\\frac{1}{2}' : fractions)
}

/** `\sqrt3` as `\sqrt{3}`. */
function bracedRoots(text: string): string | null {
  const [first = '', ...parts] = text.split('\\sqrt')
  if (parts.includes('')) return null
  return first + parts.map(part => (part.startsWith('{') ? `\\sqrt${part}` : `\\sqrt{${part.slice(0, 1)}}${part.slice(1)}`)).join('')
}

/** `\frac12` and `\frac1{b}` with braces; a `\frac` with a single character behind it leaves the whole text as it is. */
function bracedFractions(text: string): string | null {
  const [first = '', ...parts] = text.split('\\frac')
  if (parts.includes('')) return null
  let result = first
  for (const part of parts) {
    if (part.startsWith('{')) result += `\\frac${part}`
    else if (part.length < 2) return text
    else result += `\\frac{${part[0]}}${part[1] === '{' ? part.slice(1) : `{${part[1]}}${part.slice(2)}`}`
  }
  return result
}

/** `a/b` of two whole numbers as a `\frac`. */
function slashedFraction(text: string): string {
  const [, top, bottom] = /^(-?(?:0|[1-9]\d*))\/(-?(?:0|[1-9]\d*))$/.exec(text) ?? []
  return top === undefined ? text : `\\frac{${top}}{${bottom}}`
}
