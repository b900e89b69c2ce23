/** Index behind the closing quote of a JSON string; the text's length where there is none. @param start of the opening quote */
export function endOfJsonString(text: string, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return text.length
    let escapes = 0
    while (quote - escapes > from && text[quote - escapes - 1] === '\\') escapes++
    if (escapes % 2 === 0) return quote + 1
    from = quote + 1
  }
}
