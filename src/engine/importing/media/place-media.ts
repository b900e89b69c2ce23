import type { MediaPart, MessageContent, Part } from '../../../contract/messages/messages.schemas.ts'
import { mediaMark } from '../../../lib/media-marks.ts'
import { RowError } from '../files/row.ts'

/** Media of a task, by the field that a mark may name. */
export type MediaByField = ReadonlyMap<string, readonly MediaPart[]>

const kinds = ['image', 'audio', 'document'] as const

interface Placed {
  readonly parts: readonly Part[]
  /** Those that no mark names, in their order. */
  readonly unmarked: readonly MediaPart[]
}

/**
 * A question with its media where its marks are. Media without a mark come first, in the order of their columns. Line breaks between
 * a mark and the beginning or end of the text are dropped. Where there are no media of a kind, its marks are text that somebody wrote.
 * @throws RowError where marks and media do not match
 */
export function placeMedia(text: string, media: MediaByField): MessageContent {
  const { parts, unmarked } = place(text, media, new Map())
  const all = [...unmarked, ...parts]
  return all.every(part => part.type === 'text') ? text : all
}

/** The same over several texts, of which the first gets what no mark names; numbers and unnumbered marks count over all of them. */
export function placeMediaIn(texts: readonly string[], media: MediaByField): readonly MessageContent[] {
  const used = new Map<MediaPart, true>()
  const counts = new Map<string, number>()
  const placed = texts.map(text => place(text, media, counts, used))
  const rest = [...media.values()].flat().filter(part => !used.has(part))
  return placed.map(({ parts }, i) => {
    const all = i === 0 ? [...rest, ...parts] : parts
    return all.every(part => part.type === 'text') ? (texts[i] ?? '') : [...all]
  })
}

/** @param counts unnumbered marks of each kind so far */
function place(text: string, media: MediaByField, counts: Map<string, number>, used = new Map<MediaPart, true>()): Placed {
  const all = [...media.values()].flat()
  const byKind = new Map(kinds.map(kind => [kind as string, all.filter(({ type }) => type === kind)]))
  const parts: Part[] = []
  let from = 0
  const addText = (to: number): void => {
    const between = text.slice(from, to)
    if (between !== '') parts.push({ type: 'text', text: between })
  }
  for (const { 0: whole, 1: kind, 2: number, 3: field, index } of text.matchAll(mediaMark)) {
    const named = field === undefined ? namedByKind(whole, kind ?? '', number, byKind, counts) : media.get(field)
    if (!named || named.length === 0) continue
    addText(index)
    parts.push(...named)
    for (const part of named) used.set(part, true)
    from = index + whole.length
  }
  addText(text.length)
  return { parts: trimmed(parts), unmarked: all.filter(part => !used.has(part)) }
}

function namedByKind(
  whole: string,
  kind: string,
  number: string | undefined,
  byKind: ReadonlyMap<string, readonly MediaPart[]>,
  counts: Map<string, number>,
): readonly MediaPart[] {
  const there = byKind.get(kind) ?? []
  if (there.length === 0) return []
  const place = number === undefined ? (counts.get(kind) ?? 0) + 1 : Number(number)
  if (number === undefined) counts.set(kind, place)
  const part = there[place - 1]
  if (!part)
    throw new RowError(
      `The text marks ${number === undefined ? `${place} times ${whole}` : whole}, and the row has ${there.length} of that kind. Add the file or remove the mark.`,
    )
  return [part]
}

function trimmed(parts: readonly Part[]): Part[] {
  return parts.flatMap((part, i): Part[] => {
    if (part.type !== 'text') return [part]
    const isAfterFirst = i > 0 && parts.slice(0, i).every(({ type }) => type !== 'text')
    const isBeforeLast = i < parts.length - 1 && parts.slice(i + 1).every(({ type }) => type !== 'text')
    const start = isAfterFirst ? part.text.replace(/^\s*\n/, '') : part.text
    const text = isBeforeLast ? withoutLastBreak(start) : start
    return text === '' ? [] : [{ ...part, text }]
  })
}

/** Without the white space at its end from the first line break in it. */
function withoutLastBreak(text: string): string {
  const kept = text.trimEnd().length
  const at = text.indexOf('\n', kept)
  return at < 0 ? text : text.slice(0, at)
}
