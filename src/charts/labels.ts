import { createElement as h, type ReactElement } from 'react'
import { showHidden } from '../lib/format/visible-text.ts'

/** Mean width of a character in a sans font, as a share of its size; generous, because a clipped label is worse than a gap. */
const characterWidth = 0.56

/** How much of a cut label is its end. */
const endShare = 0.4

/** Roughly how wide a text will be, in the units of its font size. Nothing can be measured outside a browser. */
export function textWidth(text: string, fontSize = 12): number {
  return Array.from(text).length * fontSize * characterWidth
}

/** How much room a column of labels takes, at most `limit`. */
export function columnWidth(labels: readonly string[], limit: number, fontSize = 12): number {
  return Math.min(
    limit,
    labels.reduce((widest, label) => Math.max(widest, textWidth(showHidden(label), fontSize)), 0),
  )
}

/** A text element cut to `room`, in its middle, since names that begin alike differ at their ends; the whole is there to hover. */
export function fittedText(text: string, room: number, attributes: Record<string, string | number>): ReactElement {
  const shown = showHidden(text)
  const size = typeof attributes['fontSize'] === 'number' ? attributes['fontSize'] : 12
  const characters = Array.from(shown)
  const fits = Math.max(1, Math.floor(room / (size * characterWidth)))
  if (characters.length <= fits) return h('text', attributes, shown)
  const end = Math.floor((fits - 1) * endShare)
  const cut = `${characters.slice(0, Math.max(1, fits - 1 - end)).join('')}…${characters.slice(characters.length - end).join('')}`
  return h('text', attributes, cut, h('title', null, shown))
}

/** Moves labels apart so that none is nearer than `gap` to the next, in order of their preferred places, and all stay between the ends. */
export function spread(wishes: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wishes.map((wish, index) => ({ wish, index })).toSorted((a, b) => a.wish - b.wish || a.index - b.index)
  const placed = wishes.map(() => 0)
  let free = low
  for (const { wish, index } of order) {
    placed[index] = Math.max(wish, free)
    free = (placed[index] ?? free) + gap
  }
  let ceiling = high
  for (const { index } of order.toReversed()) {
    placed[index] = Math.min(placed[index] ?? ceiling, ceiling)
    ceiling = (placed[index] ?? ceiling) - gap
  }
  return placed
}
