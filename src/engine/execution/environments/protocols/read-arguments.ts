import { z } from 'zod'

const Arguments = z.record(z.string(), z.unknown())

/** The arguments of a tool call; null when the text is not a JSON object. An empty text means none. */
export function argumentsIn(text: string): Readonly<Record<string, unknown>> | null {
  if (text.trim() === '') return {}
  try {
    return Arguments.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
