import { z } from 'zod'

const Fields = z.record(z.string(), z.unknown()).catch({})
const List = z.array(z.unknown()).catch([])
const Ranges = z.array(z.tuple([z.int().min(0), z.int().min(0)]))

/** Of a conversation: ranges may name the same messages again and again. */
const mostMessages = 100_000

/**
 * Reads samples as a log keeps them: in one entry, or cut up, with messages, long texts and metadata in entries of their own beside
 * `sample.json`. Texts are referred to by their places, the conversation by ranges of messages.
 */
export function sampleReader(names: readonly string[], read: (name: string) => unknown): (entry: string) => unknown {
  const parts = Map.groupBy(names, name => /^(samples\/.+_epoch_\d+\/(?:messages|attachments)\/)\d+\.json$/.exec(name)?.[1] ?? '')
  const all = new Set(names)
  const startOf = (name: string): number => Number(/(\d+)\.json$/.exec(name)?.[1])
  const sequence = (folder: string): unknown[] =>
    (parts.get(folder) ?? []).toSorted((a, b) => startOf(a) - startOf(b)).flatMap(name => List.parse(read(name)))
  return entry => {
    const whole = read(entry)
    const folder = /^samples\/.+_epoch_\d+\/(?=sample\.json$)/.exec(entry)?.[0]
    if (folder === undefined) return whole
    const sample = Fields.parse(whole)
    const messages = sequence(`${folder}messages/`)
    const texts = sequence(`${folder}attachments/`)
    const metadata = `${folder}metadata.json`
    return {
      ...sample,
      ...(messages.length > 0 && { messages: inRanges(messages, Ranges.safeParse(sample['message_refs']).data ?? [[0, messages.length]]) }),
      ...(texts.length > 0 && { attachments: Object.fromEntries(texts.map((text, place) => [String(place), text])) }),
      ...(all.has(metadata) && { metadata: read(metadata) }),
    }
  }
}

function inRanges(messages: readonly unknown[], ranges: readonly (readonly [start: number, end: number])[]): unknown[] {
  const found: unknown[] = []
  for (const [start, end] of ranges) {
    if (found.length > mostMessages) break
    for (const message of messages.slice(start, Math.min(end, start + mostMessages))) found.push(message)
  }
  return found
}
