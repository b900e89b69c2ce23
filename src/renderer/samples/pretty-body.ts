/** Bodies beyond this are shown raw only: parsing them would stop the page. */
const MOST_CHARACTERS = 2_000_000

/**
 * A JSON body, or a stream of events with JSON data, indented; null for anything else. Numbers that JavaScript would round show as
 * they are only in the raw text, which is why both can be seen.
 */
export function prettyBody(body: string): string | null {
  if (body.length > MOST_CHARACTERS) return null
  return prettyJson(body) ?? prettyEvents(body)
}

function prettyJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return null
  }
}

function prettyEvents(body: string): string | null {
  if (!/^(data|event|id|retry|):/m.test(body)) return null
  const lines = body.split(/\r?\n/).map(line => {
    const data = /^data: ?(.*)$/.exec(line)?.[1]
    const json = data === undefined ? null : prettyJson(data)
    return json === null ? line : `data: ${json}`
  })
  return lines.join('\n')
}
