import { MediaDigest, type MediaPart } from '../../../contract/messages/messages.schemas.ts'
import type { Json } from './mapped-span.ts'

const mostLevels = 4
/** Characters of a description and of a title, as parts may have them. */
const mostCharacters = 10_000
const mostTitle = 200
const typeNames: ReadonlySet<string> = new Set(['type', 'modality', 'format', 'mime_type', 'mimeType', 'media_type', 'mediaType', 'mime'])

/** Where providers say what a file shows and what it is called; the first that says it counts. */
const altKeys = ['alt', 'alt_text', 'altText', 'description'] as const
const titleKeys = ['title', 'filename', 'file_name', 'fileName'] as const

/** What is said around a file, by its kind, and about it; what is nearer counts. */
interface Said {
  readonly type: string
  readonly alt?: string
  readonly title?: string
  readonly transcript?: string
  readonly detail?: 'low' | 'high' | 'auto'
}

/** Whether a text is nothing but the digest of a stored file. */
export const isDigest = (text: string): boolean => MediaDigest.safeParse(text).success

/**
 * The stored files that a part of a message names, in whatever form its provider has; each is of the kind, and keeps the name and the
 * description, that are said around it.
 */
export function storedParts(part: Json, levels = mostLevels, around: Said = { type: '' }): MediaPart[] {
  const said = { ...around, ...saidIn(part), type: [around.type, ...typesIn(part)].join(' ') }
  return Object.entries(part).flatMap(([name, value]): MediaPart[] => {
    if (typeof value === 'string') return name !== 'text' && !typeNames.has(name) && isDigest(value) ? [partOf(value, said)] : []
    return typeof value === 'object' && value !== null && levels > 0 ? storedParts({ ...value }, levels - 1, said) : []
  })
}

function typesIn(part: Json): string[] {
  return Object.entries(part).flatMap(([name, value]) => (typeof value === 'string' && typeNames.has(name) ? [value] : []))
}

function saidIn(part: Json): Omit<Said, 'type'> {
  const alt = firstText(part, altKeys)
  // The name of a call is that of its tool.
  const isCall = typesIn(part).some(type => /tool|function/i.test(type))
  const title = firstText(part, isCall ? titleKeys : [...titleKeys, 'name'])
  const transcript = firstText(part, ['transcript'])
  const { detail } = part
  return {
    ...(alt !== null && { alt: alt.slice(0, mostCharacters) }),
    ...(title !== null && { title: title.slice(0, mostTitle) }),
    ...(transcript !== null && { transcript: transcript.slice(0, mostCharacters) }),
    ...((detail === 'low' || detail === 'high' || detail === 'auto') && { detail }),
  }
}

function firstText(part: Json, names: readonly string[]): string | null {
  const found = names.map(name => part[name]).find(value => typeof value === 'string' && value.trim() !== '' && !isDigest(value))
  return typeof found === 'string' ? found : null
}

/** With what a part of its kind may say: an image has no title, which then describes it. */
function partOf(media: MediaDigest, { type: kind, title, alt = title, transcript, detail }: Said): MediaPart {
  const type = kindOf(kind)
  switch (type) {
    case 'image':
      return { type, media, ...(detail && { detail }), ...(alt !== undefined && { alt }) }
    case 'audio':
      return { type, media, ...(transcript !== undefined && { transcript }) }
    case 'document':
      return { type, media, ...(title !== undefined && { title }) }
  }
}

function kindOf(said: string): MediaPart['type'] {
  if (/image/i.test(said)) return 'image'
  if (/audio|wav|mp3|flac/i.test(said)) return 'audio'
  return /pdf|document|file/i.test(said) ? 'document' : 'image'
}
