import { nameAll, nameFew } from '../../../lib/format/name-few.ts'
import type { Sample } from './inspect-schemas.ts'

const mostNamed = 10
/** Types of parts that an answer shows beside its text. */
const shown: ReadonlyMap<string, string> = new Map([
  ['image', 'images'],
  ['audio', 'audio'],
  ['video', 'videos'],
  ['document', 'documents'],
])

/** Names the samples of which something is left out: what a provider keeps for itself, and files that a model answered with. */
export function leftWarnings(file: string, samples: readonly Sample[]): string[] {
  const answer = ({ output }: Sample): readonly string[] => typesIn((output?.choices ?? []).map(({ message }) => message))
  const kept = samples.filter(sample => typesIn(sample.input).includes('data') || answer(sample).includes('data'))
  const kinds = [...shown].filter(([type]) => samples.some(sample => answer(sample).includes(type))).map(([, kind]) => kind)
  const shows = samples.filter(sample => answer(sample).some(type => shown.has(type)))
  return [
    ...(kept.length === 0
      ? []
      : [`"${file}": parts of the type "data", which only their provider can read, were left out of ${named(kept)}.`]),
    ...(shows.length === 0
      ? []
      : [`"${file}": ${nameAll(kinds)} in answers were left out of ${named(shows)}. Only their text is imported and graded.`]),
  ]
}

function named(samples: readonly Sample[]): string {
  const ids = samples.map(({ id }) => String(id).slice(0, 200))
  return `${ids.length === 1 ? 'one sample' : `${ids.length} samples`}: ${nameFew(ids, mostNamed)}`
}

function typesIn(messages: unknown): string[] {
  if (!Array.isArray(messages)) return []
  return messages.flatMap((message: { readonly content?: unknown } | null) =>
    Array.isArray(message?.content)
      ? message.content.flatMap((part: { readonly type?: unknown } | null) => (typeof part?.type === 'string' ? [part.type] : []))
      : [],
  )
}
