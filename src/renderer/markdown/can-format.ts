/** UTF-16 code units; longer texts stay raw, since laying them out would stop the page. */
const longest = 20_000
/** Signs that may open something. Those that are never closed cost the square of their number. */
const mostMarkers = 1_500

/** Whether a text is formatted in a moment, whoever wrote it. */
export function canFormat(text: string): boolean {
  return text.length <= longest && (text.match(/[*_$~`[\]|>\\]/g)?.length ?? 0) <= mostMarkers
}
