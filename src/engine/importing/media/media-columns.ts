import type { Message } from '../../../contract/messages/messages.schemas.ts'
import type { Row } from '../files/row.ts'
import type { MediaIntake } from './media-intake.ts'
import { type MediaByField, placeMediaIn } from './place-media.ts'

export interface MediaColumn {
  readonly field: string
  readonly column: string
}

/** Whether a column has files in it (`inside`), names files (`named`), or is called as such columns are and is empty (`empty`). */
export type HoldsFiles = (column: string) => 'inside' | 'named' | 'empty' | null

/** Where some columns have the files themselves, those that name them are the same ones. */
export function usualMedia(names: readonly string[], looksLike: HoldsFiles): readonly MediaColumn[] {
  const found = names.map(column => ({ column, holds: looksLike(column) })).filter(({ holds }) => holds !== null)
  const hasInside = found.some(({ holds }) => holds === 'inside')
  return found
    .filter(({ holds }) => !(hasInside && holds === 'named'))
    .map(({ column }) => ({ field: column.replaceAll(/\W/g, '_').slice(0, 64), column }))
}

/** The media of a row by field; empty fields are absent. @throws RowError */
export function mediaOf(row: Row['value'], columns: readonly MediaColumn[], intake: MediaIntake | null): MediaByField {
  if (!intake) return new Map()
  return new Map(
    columns.flatMap(({ field, column }) => {
      const parts = intake.cell(row[column], column)
      return parts.length === 0 ? [] : [[field, parts]]
    }),
  )
}

/** The media of a row in the texts of its user: where they are marked, else before the first. */
export function withMedia(messages: readonly Message[], media: MediaByField): readonly Message[] {
  const asked = messages.filter(
    (message): message is Message & { readonly content: string } => message.role === 'user' && typeof message.content === 'string',
  )
  const placed = placeMediaIn(
    asked.map(({ content }) => content),
    media,
  )
  return messages.map(message => {
    const content = placed[asked.findIndex(one => one === message)]
    return content === undefined ? message : { ...message, content }
  })
}
