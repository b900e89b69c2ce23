/** Changes what the pattern does not take. @param taken has one group, around all of it */
export function outside(taken: RegExp, text: string, change: (part: string) => string): string {
  return text
    .split(taken)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('')
}
