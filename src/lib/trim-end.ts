/**
 * The text without the characters at its end that a pattern of one character matches. A search for `X+$` begins at every run of X in the
 * text and takes a time that grows with the square of the longest; this looks at the end alone.
 */
export function trimEndOf(text: string, char: RegExp): string {
  let end = text.length
  while (end > 0 && char.test(text.charAt(end - 1))) end--
  return end === text.length ? text : text.slice(0, end)
}
