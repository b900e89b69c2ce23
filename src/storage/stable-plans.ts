/** What may hold signs of a parameter that is none, and parameters. */
const quotedOrParameter = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|(?<parameter>\?|[@:$](?=[A-Za-z_]))/g

/**
 * A statement whose plan does not depend on the values that it is given, so that it is compiled once. SQLite, as it is built here, looks at
 * values while it plans, and compiles a statement anew whenever other ones are bound: a look by key took 30 µs instead of 5. It has no
 * setting for that which can be reached from here; behind a plus sign, which changes no value, it does not look
 * (decisions/0148-plans-without-values.md).
 */
export function withStablePlan(sql: string): string {
  return sql.replace(quotedOrParameter, (part, parameter?: string) => (parameter === undefined ? part : `+${parameter}`))
}
