import { type MediaFile, mostMediaBytes } from '../../../contract/media/media.schemas.ts'
import type { MediaPart } from '../../../contract/messages/messages.schemas.ts'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { inspectMedia } from '../../media/inspect-media.ts'
import { MediaFault } from '../../media/media-fault.ts'
import { RowError } from '../files/row.ts'
import type { FoundMedia } from '../messages/read-conversation.ts'
import { FileCautions } from './file-cautions.ts'
import { filesInCell, type FoundFile } from './media-cell.ts'
import { kindByName, RemoteMedia, shownAddress } from './remote-media.ts'

/** Files that rows name, by their path in the folder or archive; null where there is none. */
export type FindFile = (path: string) => { readonly path: string; readonly bytes: Uint8Array } | null

/** A file that waits to be written; without bytes where it is stored already. */
export interface PendingFile {
  readonly file: MediaFile
  readonly bytes: (() => Uint8Array) | null
}

interface IntakeOptions {
  readonly find?: FindFile
  /** The path of a file whose case or accents alone differ; null where there is none. */
  readonly similar?: (path: string) => string | null
  /** A file that is stored already and that the workspace may read. */
  readonly stored?: (digest: string) => MediaFile | null
  /** References stay in memory until all is written, so that their bytes are read from them again then. */
  readonly keepsReferences?: boolean
  readonly remote?: RemoteMedia
}

/**
 * Takes the media of an import while its rows are read: finds the bytes, tells what they are, and keeps what is to be written until it is
 * fetched. Remote addresses are never opened: their bytes are those that were fetched before.
 */
export class MediaIntake {
  readonly #find: FindFile
  readonly #similar: NonNullable<IntakeOptions['similar']>
  readonly #stored: (digest: string) => MediaFile | null
  readonly #keepsReferences: boolean
  /** Null where files at addresses are refused. */
  readonly remote: RemoteMedia | null
  readonly #known = new Map<string, MediaFile>()
  readonly #byPath = new Map<string, MediaFile>()
  /** What the files of the folder or archive are, which do not change while they are imported: each is looked into once. */
  readonly #facts = new Map<string, MediaFile>()
  /** Cells of rows that others refer to by a short key; those with addresses as they are, since each row that shows one may be refused. */
  readonly #rows = new Map<string, { readonly parts: readonly MediaPart[] } | { readonly cell: unknown }>()
  readonly #cautions = new FileCautions()
  readonly #used = new Set<string>()
  #data = 0
  #pending: PendingFile[] = []
  #pendingBytes = 0
  #most = { files: 0, bytes: 0 }

  constructor({ find = () => null, similar = () => null, stored = () => null, keepsReferences = false, remote }: IntakeOptions = {}) {
    this.#find = find
    this.#similar = similar
    this.#stored = stored
    this.#keepsReferences = keepsReferences
    this.remote = remote ?? null
  }

  /** Keeps bytes for writing from here on, up to so much until they are fetched; every file counts as new again. */
  keep(most: { readonly files: number; readonly bytes: number }): void {
    this.#most = most
    this.#known.clear()
    this.#byPath.clear()
    this.#pending = []
    this.#pendingBytes = 0
  }

  /** Bytes that wait to be written. */
  get pendingBytes(): number {
    return this.#pendingBytes
  }

  /** Files since the last call; those with bytes are to be written before their rows. */
  takePending(): readonly PendingFile[] {
    const pending = this.#pending
    this.#pending = []
    this.#pendingBytes = 0
    return pending
  }

  get files(): number {
    return this.#known.size
  }

  get bytes(): number {
    return [...this.#known.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Paths that rows named. */
  get usedPaths(): ReadonlySet<string> {
    return this.#used
  }

  /** Lets rows refer to this one's media by a short key, as VLMEvalKit's do. */
  remember(key: string, cell: unknown): void {
    if (hasAddress(cell)) this.#rows.set(key, { cell })
    else if (typeof cell !== 'string' || cell.length > 64) this.#rows.set(key, { parts: this.cell(cell, 'image') })
  }

  /** Counts parts of messages that hold what only their provider can read. */
  leave(parts: number): void {
    this.#data += parts
  }

  /** What is unusual about the files, each with how often, and what was left out. */
  warnings(): string[] {
    return [
      ...(this.remote?.warnings() ?? []),
      ...this.#cautions.sentences(),
      ...(this.#data === 0
        ? []
        : [
            `${this.#data === 1 ? 'One part of a message was' : `${this.#data.toLocaleString('en')} parts of messages were`} left out, of the type "data", which only their provider can read.`,
          ]),
    ]
  }

  /** The media in a cell. @throws RowError where it holds anything else, or a file that is missing or not taken */
  cell(value: unknown, column: string): readonly MediaPart[] {
    const referred = typeof value === 'string' || typeof value === 'number' ? this.#rows.get(String(value).trim()) : undefined
    if (referred && 'parts' in referred) return referred.parts
    const found = filesInCell(referred ? referred.cell : value)
    if (!found) throw new RowError(`The column "${column}" holds neither files nor their names: ${shown(value)}.`)
    return found.map((file, i) => this.#part(file, found.length === 1 ? `in "${column}"` : `number ${i + 1} in "${column}"`))
  }

  /** Whether a path names a file of the folder or archive. */
  has(path: string): boolean {
    return this.#facts.has(path) || this.#find(path) !== null
  }

  /** A reference within a message. @throws RowError likewise */
  reference({ kind, reference, mediaType }: FoundMedia, field: string): string {
    const [found, other] = filesInCell(reference) ?? []
    if (!found || other) throw new RowError(`A part of "${field}" names no file: ${shown(reference)}.`)
    const stated = found.kind === 'bytes' ? { ...found, mediaType: found.mediaType ?? mediaType ?? null } : found
    const file = this.#file(stated, kind, `in "${field}"`, this.#keepsReferences ? () => bytesOf(reference) : undefined)
    if (kindOf(file) !== kind)
      throw new RowError(`A part of "${field}" is stated to be ${named[kind]}, but its bytes are ${file.media_type}.`)
    return file.digest
  }

  /** What `read` answers, where every file that it names is there or is to come; a fault of something before it is not its own. @throws RowError */
  withFetched<T>(read: () => T): T {
    this.remote?.takeFault()
    const found = read()
    const fault = this.remote?.takeFault() ?? null
    if (fault !== null) throw new RowError(fault)
    return found
  }

  #part(found: FoundFile, place: string): MediaPart {
    const file = this.#file(found, found.kind === 'address' ? kindByName(found.url) : 'image', place)
    const { digest: media } = file
    const type = kindOf(file)
    if (type === 'document') {
      const path = found.kind === 'path' ? found.path : found.kind === 'address' ? URL.parse(found.url)?.pathname : undefined
      const title = path?.split('/').at(-1) || undefined
      return { type, media, ...(title !== undefined && { title: title.slice(0, 200) }) }
    }
    return { type, media }
  }

  /** @param kind of a file that is not there yet */
  #file(found: FoundFile, kind: MediaPart['type'], place: string, again?: () => Uint8Array): MediaFile {
    switch (found.kind) {
      case 'bytes':
        return this.#inspect(found.bytes, found.mediaType, place, again)
      case 'digest': {
        const file = this.#stored(found.digest)
        if (!file)
          throw new RowError(
            `The media file ${found.digest.slice(0, 23)}… ${place} is not stored in this workspace. Send it to POST /v1/media first.`,
          )
        this.#note(file, null)
        return file
      }
      case 'address':
        return this.#atAddress(found.url, kind, place)
      case 'path':
        return this.#atPath(found.path, place)
    }
  }

  #atPath(path: string, place: string): MediaFile {
    const known = this.#byPath.get(path)
    if (known) return known
    const there = this.#find(path)
    if (!there) {
      const other = this.#similar(path)
      const also = other === null ? '.' : `; "${other.slice(0, 200)}" is, whose case or accents are written otherwise.`
      throw new RowError(`The file "${path.slice(0, 200)}" ${place} is not among the files of this import${also}`)
    }
    this.#used.add(there.path)
    return this.#unchanged(path, there.bytes)
  }

  #atAddress(url: string, kind: MediaPart['type'], place: string): MediaFile {
    if (!this.remote) {
      const host = URL.parse(url)?.host ?? url.slice(0, 60)
      throw new RowError(`The file ${place} is at a remote address (${host}), which is not fetched. Download it and name the file instead.`)
    }
    const known = this.#byPath.get(url)
    if (known) return known
    const bytes = this.remote.find(url, place)
    return bytes ? this.#unchanged(url, bytes, shownAddress(new URL(url))) : this.remote.placeholder(url, kind)
  }

  /** A file that stays as it is while it is imported, by its path or address. */
  #unchanged(path: string, bytes: Uint8Array, shownAs = path.slice(0, 200)): MediaFile {
    const seen = this.#facts.get(path)
    const file = seen?.bytes === bytes.length ? seen : this.#inspect(bytes, null, `"${shownAs}"`)
    if (file === seen) this.#note(file, () => bytes, shownAs)
    this.#facts.set(path, file)
    this.#byPath.set(path, file)
    return file
  }

  #inspect(bytes: Uint8Array, stated: string | null, place: string, again = () => bytes): MediaFile {
    if (bytes.length > mostMediaBytes)
      throw new RowError(
        `The file ${place} has ${bytes.length.toLocaleString('en')} bytes; at most ${formatBytes(mostMediaBytes)} are taken.`,
      )
    try {
      const file = inspectMedia(bytes, stated)
      this.#note(file, again, place)
      return file
    } catch (error) {
      if (error instanceof MediaFault) throw new RowError(`The file ${place}: ${error.message}`)
      throw error
    }
  }

  #note(file: MediaFile, bytes: PendingFile['bytes'], place = ''): void {
    if (this.#known.has(file.digest)) return
    this.#known.set(file.digest, file)
    this.#cautions.note(file.cautions, place)
    const waiting = bytes ? file.bytes : 0
    if (this.#pending.length >= this.#most.files || this.#pendingBytes + waiting > this.#most.bytes) return
    this.#pending.push({ file, bytes })
    this.#pendingBytes += waiting
  }
}

const named = { image: 'an image', audio: 'audio', document: 'a document' } as const

function kindOf({ media_type: type }: MediaFile): MediaPart['type'] {
  return type === 'application/pdf' ? 'document' : type.startsWith('audio/') ? 'audio' : 'image'
}

function hasAddress(cell: unknown): boolean {
  // Base64 is not decoded for this.
  if (typeof cell === 'string' && !cell.includes('://')) return false
  return filesInCell(cell)?.some(({ kind }) => kind === 'address') ?? false
}

/** The bytes that a reference holds, which was read before. */
function bytesOf(reference: unknown): Uint8Array {
  const [found] = filesInCell(reference) ?? []
  if (found?.kind !== 'bytes') throw new Error('A reference to a file has changed since it was read.')
  return found.bytes
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : (JSON.stringify(value) ?? String(value)).slice(0, 60)
}
