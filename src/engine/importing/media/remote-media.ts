import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mostMediaHosts } from '../../../contract/catalog/remote-media.schemas.ts'
import type { MediaFile, MediaType } from '../../../contract/media/media.schemas.ts'
import type { MediaPart } from '../../../contract/messages/messages.schemas.ts'
import { RowError } from '../files/row.ts'

/** A yes to fetch media: the most addresses of each host, as `host` or `host:port`. */
export type FetchYes = Readonly<Record<string, number>>

/** Plain data that the thread that reads an import is given. */
export interface RemoteOrder {
  readonly allowed: FetchYes
  /** Folder with what was fetched; null before. */
  readonly folder: string | null
}

/** What became of an address: its bytes, or why they could not be had, as a sentence. */
export type Fetched = { readonly bytes: Uint8Array } | { readonly why: string }

/** What the rows of an import name at one host. */
export interface RemoteHost {
  readonly host: string
  /** Different addresses. */
  readonly files: number
  /** Whether the yes covers them. */
  readonly allowed: boolean
  /** Addresses whose bytes are there. */
  readonly fetched: number
}

interface RemoteSettings {
  readonly allowed?: FetchYes
  /** Null where the address was not fetched yet. */
  readonly fetched?: (url: string) => Fetched | null
  /** Whether a row whose file may not be fetched is left out; otherwise the import as a whole is refused, once for each host. */
  readonly leavesOut?: boolean
  /** Whether a name or IP address is of the internet. */
  readonly isPublic?: (hostname: string) => boolean
}

/** The addresses that the rows of an import name, what a yes covers of them, and what was fetched. Nothing here opens a connection. */
export class RemoteMedia {
  readonly #allowed: ReadonlyMap<string, number>
  readonly #fetched: NonNullable<RemoteSettings['fetched']>
  readonly #leavesOut: boolean
  readonly #isPublic: NonNullable<RemoteSettings['isPublic']>
  /** Whether the bytes of each address are there, by host. */
  readonly #hosts = new Map<string, Map<string, boolean>>()
  readonly #placeholders = new Set<string>()
  #fault: string | null = null

  constructor({ allowed = {}, fetched = () => null, leavesOut = false, isPublic = () => true }: RemoteSettings = {}) {
    this.#isPublic = isPublic
    this.#allowed = new Map(Object.entries(allowed))
    this.#fetched = fetched
    this.#leavesOut = leavesOut
  }

  /** The bytes of an address; null where they are not there, which may be a fault of the row. @throws RowError for any other text */
  find(address: string, place: string): Uint8Array | null {
    const url = fetchable(address)
    if (!url) throw new RowError(`The file ${place} has an invalid address: ${JSON.stringify(bare(address))}.`)
    if (url.username !== '' || url.password !== '')
      throw new RowError(`The address of the file ${place} holds a user name or password, and no credentials are sent.`)
    const isAllowed = this.#allowed.has(url.host)
    const fetched = isAllowed ? this.#fetched(url.href) : null
    const isThere = fetched !== null && 'bytes' in fetched
    const known = this.#hosts.get(url.host)
    if (known) known.set(url.href, isThere)
    else this.#hosts.set(url.host, new Map([[url.href, isThere]]))
    if (isThere) return fetched.bytes
    if (fetched) this.#fault ??= `The file ${place} could not be fetched from ${shownAddress(url)}: ${fetched.why}`
    else if (!isAllowed && this.#leavesOut)
      this.#fault ??= `The file ${place} is at ${url.host}, which "fetch_media" does not name, so it is not fetched.`
    return null
  }

  /** Stands for a file whose bytes are not there. */
  placeholder(address: string, kind: MediaPart['type']): MediaFile {
    const digest = `sha256:${nameOf(address)}`
    this.#placeholders.add(digest)
    const none = { width: null, height: null, duration_ms: null, pages: null, cautions: [] }
    return { digest, media_type: typeOf[kind], bytes: 0, ...none }
  }

  isPlaceholder(digest: string): boolean {
    return this.#placeholders.has(digest)
  }

  /** Why the row that was just read cannot be used; null: it can. Asked once for each row. */
  takeFault(): string | null {
    const fault = this.#fault
    this.#fault = null
    return fault
  }

  /** At how many hosts there are addresses. */
  get hostCount(): number {
    return this.#hosts.size
  }

  /** By how many addresses: those that the yes names, then the others, most first; at most so many as one yes may name. */
  hosts(): RemoteHost[] {
    const isNamed = ({ host }: RemoteHost): number => Number(this.#allowed.has(host))
    return [...this.#hosts]
      .map(([host, addresses]) => ({
        host,
        files: addresses.size,
        allowed: addresses.size <= (this.#allowed.get(host) ?? 0),
        fetched: [...addresses.values()].filter(Boolean).length,
      }))
      .toSorted((a, b) => isNamed(b) - isNamed(a) || b.files - a.files || (a.host < b.host ? -1 : 1))
      .slice(0, mostMediaHosts)
  }

  /** Addresses that the yes covers and that are not there, in the order of the rows. */
  wanted(): string[] {
    return [...this.#hosts].flatMap(([host, addresses]) =>
      this.#allowed.has(host) ? [...addresses].flatMap(([url, isThere]) => (isThere ? [] : [url])) : [],
    )
  }

  /** What is unusual about what the yes covers. */
  warnings(): string[] {
    const isPlain = ([host]: readonly [string, unknown]): boolean =>
      this.#allowed.has(host) && this.#isPublic(new URL(`http://${host}`).hostname)
    const plain = [...this.#hosts]
      .filter(isPlain)
      .reduce((sum, [, addresses]) => sum + [...addresses.keys()].filter(url => url.startsWith('http:')).length, 0)
    if (plain === 0) return []
    return [
      `${plain === 1 ? 'One media file is' : `${plain.toLocaleString('en')} media files are`} at plain http addresses, whose content can be read and changed on the way.`,
    ]
  }

  /** Fails where something shows a file whose bytes are not there. */
  requireNone(task: unknown): void {
    if (this.#placeholders.size === 0) return
    for (const [digest] of JSON.stringify(task).matchAll(/sha256:[0-9a-f]{64}/g))
      if (this.#placeholders.has(digest)) throw new Error('A task shows a media file that was not downloaded.')
  }

  /** What is wrong with the import as a whole, one sentence for each host. */
  problems(): string[] {
    const missing = this.#leavesOut ? 0 : [...this.#hosts.keys()].filter(host => !this.#allowed.has(host)).length
    if (missing > 0 && this.#hosts.size > mostMediaHosts)
      return [
        `Media files are at ${this.#hosts.size.toLocaleString('en')} hosts, and those of at most ${mostMediaHosts} are downloaded. Download them and send them with the rows, or leave out the rows of the others.`,
      ]
    return this.hosts().flatMap(({ host, files, allowed }) => {
      const most = this.#allowed.get(host)
      if (allowed || (most === undefined && this.#leavesOut)) return []
      const count = files === 1 ? '1 media file is' : `${files.toLocaleString('en')} media files are`
      return most === undefined
        ? [
            `${count} at ${host}, and media files are fetched only where "fetch_media" names their host and number: {${JSON.stringify(host)}: ${files}}. Or download them and send them with the rows.`,
          ]
        : [`${count} at ${host}, and "fetch_media" allows ${most.toLocaleString('en')}. Raise its number to fetch them.`]
    })
  }
}

const typeOf: Readonly<Record<MediaPart['type'], MediaType>> = { image: 'image/png', audio: 'audio/wav', document: 'application/pdf' }

/** Kind of file that an address is of by its name; most are pictures. */
export function kindByName(address: string): MediaPart['type'] {
  const path = URL.parse(address)?.pathname ?? ''
  return /\.(?:wav|mp3|flac)$/i.test(path) ? 'audio' : /\.pdf$/i.test(path) ? 'document' : 'image'
}

/** The address as it is asked for: a fragment is never sent. */
function fetchable(address: string): URL | null {
  const url = address.length > longestAddress ? null : URL.parse(address)
  if (!url || url.host === '' || url.host.length > longestHost) return null
  url.hash = ''
  return url
}

/** Characters; servers refuse longer ones. */
const longestAddress = 16_000
/** Characters that `fetch_media` takes. */
const longestHost = 260

/** The beginning of an invalid address, without what may be a signature or a password. */
function bare(text: string): string {
  return (text.split(/[?#]/)[0] ?? '').split('@').slice(-1).join('').slice(0, 100)
}

/** An address in a message: what a query holds may be a signature. */
export function shownAddress({ origin, pathname, search }: URL): string {
  return `${origin}${pathname}`.slice(0, 200) + (search === '' ? '' : '?…')
}

function nameOf(address: string): string {
  return createHash('sha256').update(address).digest('hex')
}

/**
 * Where in a folder the bytes of an address lie, and where the reason lies if they could not be had.
 * @param url or a host, or nothing: why none of its addresses, or none at all, was asked for any longer
 */
export function fetchedPaths(folder: string, url: string): { readonly bytes: string; readonly failure: string } {
  const path = join(folder, nameOf(url))
  return { bytes: path, failure: `${path}.failed` }
}

/** What a folder holds of an address; null: neither its bytes nor why they are missing. */
export function readFetched(folder: string, url: string): Fetched | null {
  const content = contentOf(fetchedPaths(folder, url).bytes)
  if (content) return { bytes: content }
  for (const name of [url, new URL(url).host, '']) {
    const why = contentOf(fetchedPaths(folder, name).failure)
    if (why) return { why: why.toString('utf8') }
  }
  return null
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
