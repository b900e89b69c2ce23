/** What may hold the sign of a parameter without being one (texts, quoted and plain names, comments, each also without its end), and parameters. */
const quotedOrParameter =
  /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`(?:[^`]|``)*`?|\[[^\]]*\]?|--[^\n]*|\/\*[^]*?(?:\*\/|$)|[\p{L}_][\p{L}\p{N}_$]*|(?<parameter>\?|[@:$](?=[\p{L}\p{N}_]))/gu

/**
 * The statement with a plan that does not depend on bound values, so that it is compiled once. SQLite as better-sqlite3 builds it reads
 * bound values while planning and recompiles the statement whenever they change: a lookup by key took 30 µs instead of 5. The option
 * that turns this off is out of reach from JavaScript. SQLite does not read a value behind a unary plus, which changes nothing about it
 * (decisions/0005-synchronous-storage.md).
 */
export function withStablePlan(sql: string): string {
  return sql.replace(quotedOrParameter, (part, parameter?: string) => (parameter === undefined ? part : `+${parameter}`))
}
