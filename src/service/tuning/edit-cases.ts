import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, invalidField } from '../../contract/errors.ts'
import { largestCase, mostCases, type NewTuneCase, type TuneDraftPatch, type TuneOrigin } from '../../contract/tuning/draft.schemas.ts'
import { canonicalJson } from '../../engine/content/benchmarks/content-digest.ts'
import type { Database } from '../../storage/database.ts'
import { caseWriter } from './cases.store.ts'
import type { CaseTotals } from './sessions.store.ts'

/** Bytes of all current cases of a session as canonical JSON. */
const mostBytes = 256 * 1024 * 1024

export interface Edit {
  readonly by: string
  readonly at: string
}

export interface CaseEdits extends NonNullable<TuneDraftPatch['cases']> {
  /** Where the request holds the cases, for errors. */
  readonly loc: readonly string[]
}

/** A case with what it is stored as. */
interface Prepared {
  readonly given: NewTuneCase
  readonly content: string
  readonly digest: Uint8Array
}

export interface PreparedEdits extends Pick<CaseEdits, 'loc'> {
  readonly upsert: readonly Prepared[]
  readonly remove: readonly string[]
}

/** Cases that are written as JSON and digested at a time. */
const preparedAtOnce = 200

/** Writes the cases of an edit as JSON, some at a time: of ten thousand it takes half of the time to store them. */
export async function prepareEdits({ upsert = [], remove = [], loc: at }: CaseEdits): Promise<PreparedEdits> {
  refuseRepeated(upsert, remove, at)
  const prepared: Prepared[] = []
  for (const [i, given] of upsert.entries()) {
    if (i > 0 && i % preparedAtOnce === 0) await nextTurn()
    const content = contentOf(given, [...at, i])
    prepared.push({ given, content, digest: createHash('sha256').update(content).digest() })
  }
  return { upsert: prepared, remove, loc: at }
}

/**
 * Applies edits of cases to the next revision, in the caller's transaction. An origin stays, byte for byte, while the case's content
 * has the same SHA-256; another content ends it for good.
 */
export function editCases(
  db: Database,
  nextId: () => string,
  session: { readonly no: number; readonly revision: number; readonly totals: CaseTotals },
  { upsert, remove, loc: at }: PreparedEdits,
  edit: Edit,
): CaseTotals {
  const writer = caseWriter(db, session.no, session.revision + 1)
  let { count, bytes, nextPosition } = session.totals
  for (const [i, id] of remove.entries()) {
    const present = writer.find(id)
    if (!present) throw invalidField(['body', 'cases', 'remove', i], `there is no case "${id}" in this draft`)
    writer.end(present)
    count--
    bytes -= Buffer.byteLength(present.content)
  }
  for (const [i, { given, content, digest }] of upsert.entries()) {
    const present = given.id === undefined ? null : writer.find(given.id)
    if (!present) {
      const origin: TuneOrigin | null = given.origin ? { ...given.origin, digest: Buffer.from(digest).toString('hex') } : null
      const id = given.id ?? nextId()
      writer.insert({
        position: nextPosition++,
        id,
        content,
        digest,
        cluster: given.cluster,
        origin: origin && JSON.stringify(origin),
        edited: null,
      })
      count++
      bytes += Buffer.byteLength(content)
      continue
    }
    if (given.origin && !isOrigin(present.origin, given.origin))
      throw invalidField([...at, i, 'origin'], `cannot be changed: it is read-only once the case "${given.id ?? ''}" exists`)
    const same = Buffer.compare(present.digest, digest) === 0
    if (same && present.cluster === given.cluster) continue
    writer.end(present)
    writer.insert({
      position: present.position,
      id: given.id ?? '',
      content,
      digest,
      cluster: given.cluster,
      origin: same ? present.origin : null,
      edited: same ? present.edited : JSON.stringify(edit),
    })
    bytes += Buffer.byteLength(content) - Buffer.byteLength(present.content)
  }
  if (count > mostCases) throw invalidField(at, `a session has at most ${mostCases} cases, and this one would have ${count}`)
  if (bytes > mostBytes)
    throw new ApiError(
      'payload_too_large',
      `The cases of a session hold at most 256 MiB, and these would hold ${Math.ceil(bytes / 2 ** 20)} MiB.`,
    )
  return { count, bytes, nextPosition }
}

function contentOf({ input, expected, metadata }: NewTuneCase, loc: readonly (string | number)[]): string {
  const content = canonicalJson({ input, expected, metadata })
  const size = Buffer.byteLength(content)
  if (size > largestCase) throw invalidField(loc, `a case has at most 256 KiB, and this one has ${Math.ceil(size / 1024)} KiB`)
  return content
}

function isOrigin(stored: string | null, { kind, ref }: NonNullable<NewTuneCase['origin']>): boolean {
  if (stored === null) return false
  const origin: unknown = JSON.parse(stored)
  return typeof origin === 'object' && origin !== null && 'kind' in origin && 'ref' in origin && origin.kind === kind && origin.ref === ref
}

function refuseRepeated(upsert: readonly NewTuneCase[], remove: readonly string[], loc: readonly string[]): void {
  const seen = new Set(remove)
  if (seen.size < remove.length) throw invalidField(['body', 'cases', 'remove'], 'names a case twice')
  for (const [i, { id }] of upsert.entries()) {
    if (id === undefined) continue
    if (seen.has(id)) throw invalidField([...loc, i, 'id'], `names the case "${id}" a second time`)
    seen.add(id)
  }
}
