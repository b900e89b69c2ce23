import { type MediaFile, mostMediaBytes } from '../../../contract/media/media.schemas.ts'
import { inspectMedia } from '../../media/inspect-media.ts'
import { MediaFault } from '../../media/media-fault.ts'
import { type Json } from './mapped-span.ts'
import { isObject } from '../../../lib/json-value.ts'

/** A file of a trace with its bytes. */
export interface InlineFile {
  readonly file: MediaFile
  readonly bytes: Uint8Array
}

/** Base64 of PNG, JPEG, GIF, WAV or WebP, FLAC, PDF or MP3, alone or as a data URI: a whole text, or a text in quotes within JSON. */
const beginning = /(?<=^|["'])(?:data:[\w.+-]{1,60}\/[\w.+-]{1,60};base64,)?(?=iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|ZkxhQ|JVBERi0|SUQz)/g
const afterBase64 = /[^\w+/=]/g
/** What ends a file within JSON, which may itself be a text in JSON. A line break or an escaped slash does not: the rest would be lost. */
const closing = /^\\{0,7}["']/
/** Shorter texts hold no file. */
const fewestCharacters = 60
/** Files of one request or page; what is more stays text. */
const mostFiles = 500
/** Levels of a record that are looked into. */
const mostLevels = 64
const digests = /sha256:[0-9a-f]{64}/g

/** Takes the images, recordings and documents out of the texts of traces, and leaves their digests. */
export class InlineMedia {
  readonly #files = new Map<string, InlineFile>()

  /** The text with digests in place of its files. */
  readonly keep = (text: string): string => {
    if (text.length < fewestCharacters) return text
    let kept = ''
    let from = 0
    for (const { 0: scheme, index } of text.matchAll(beginning)) {
      if (index < from) continue
      const start = index + scheme.length
      afterBase64.lastIndex = start
      const end = afterBase64.exec(text)?.index ?? text.length
      const digest = end === text.length || closing.test(text.slice(end, end + 8)) ? this.#take(text.slice(start, end)) : null
      if (digest === null) continue
      kept += text.slice(from, index) + digest
      from = end
    }
    return from === 0 ? text : kept + text.slice(from)
  }

  /** The record with digests in place of the files in all its texts. */
  keepIn(record: Json): Json {
    const value = this.#within(record, mostLevels)
    return isObject(value) ? value : record
  }

  /** Files that a record names. */
  of(record: Json): readonly MediaFile[] {
    if (this.#files.size === 0) return []
    const named = new Set(JSON.stringify(record).match(digests))
    return [...named].flatMap(digest => this.#files.get(digest)?.file ?? [])
  }

  get files(): readonly InlineFile[] {
    return [...this.#files.values()]
  }

  #within(value: unknown, levels: number): unknown {
    if (typeof value === 'string') return this.keep(value)
    if (levels === 0 || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(item => this.#within(item, levels - 1))
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, this.#within(held, levels - 1)]))
  }

  /** Null for what only looks like a file: it stays as it is. */
  #take(base64: string): string | null {
    if (this.#files.size >= mostFiles || base64.length < fewestCharacters || (base64.length / 4) * 3 > mostMediaBytes) return null
    const bytes = Buffer.from(base64, 'base64')
    try {
      const file = inspectMedia(bytes)
      this.#files.set(file.digest, { file, bytes })
      return file.digest
    } catch (error) {
      if (error instanceof MediaFault) return null
      throw error
    }
  }
}
