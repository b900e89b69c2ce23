import { createParser } from 'eventsource-parser'
import { parseJson } from './parse-json.ts'

/** The JSON of each server-sent event, up to the first that is not JSON; one that is cut off at the end is left out. */
export function eventValues(text: string): unknown[] {
  const values: unknown[] = []
  let isBroken = false
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data.trim() === '') return
      const json = parseJson(data)
      isBroken ||= !json.ok
      if (json.ok && !isBroken) values.push(json.value)
    },
  })
  parser.feed(text)
  return values
}
