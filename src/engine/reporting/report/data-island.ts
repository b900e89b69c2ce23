/**
 * JSON inside HTML. A script element of a data type is never run, but its end is found by the HTML parser, which knows no JSON:
 * `</script>` or `<!--` in any string would end or swallow it. So no `<`, `>` or `&` is left, nor the two line separators that
 * older JavaScript took for line ends. Lone surrogates are escaped by JSON.stringify itself, so no character is lost in UTF-8.
 */
export function islandJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, escapeUnit)
}

/** A data element for the explorer to read; `attributes` are written by this program, never taken from data. */
export function dataIsland(attributes: string, json: string): string {
  return `<script type="application/json" ${attributes}>${json}</script>\n`
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
