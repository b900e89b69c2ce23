import {
  type AnnotationChanges,
  type Annotations,
  mostNotes,
  mostTags,
  type NewNote,
  type Note,
} from '../../contract/annotations/annotations.schemas.ts'
import { ApiError, requireFound } from '../../contract/errors.ts'
import { ofRun } from '../../storage/reads/annotations.ts'
import { sampleId } from '../../storage/sample-id.ts'
import { type Principal, requireRole } from '../auth/index.ts'
import type { Asker } from '../http/handler.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Runs } from '../runs/index.ts'
import {
  addMark,
  type Author,
  authorOf,
  findNote,
  insertNote,
  largestTagCount,
  listTags,
  marksOf,
  type NoteRow,
  notesOf,
  removeMark,
  removeNote,
  rewriteNote,
  type TagsQuery,
  type Target,
} from './annotations.store.ts'

export type AnnotationsService = ReturnType<typeof createAnnotations>

/** Notes, tags and bookmarks on runs and samples: shared by the workspace, each with who made it and when. */
export function createAnnotations({ db, clock, ids }: Kernel, { runs }: { readonly runs: Pick<Runs, 'locate'> }) {
  /** Positions in the run that are meant; that of the run itself without sample ids. */
  const placesOf = (workspaceId: string, runId: string, sampleIds: readonly string[] | undefined) => {
    const { no, positions, partOf } = runs.locate(workspaceId, runId, sampleIds ?? [])
    if (partOf !== null) throw new ApiError('conflict', `The run "${runId}" is a retry. Annotate the run that it is part of, "${partOf}".`)
    return { no, positions: sampleIds === undefined ? [ofRun] : positions }
  }
  const targetOf = (workspaceId: string, runId: string, sample: string | undefined): Target => {
    const { no, positions } = placesOf(workspaceId, runId, sample === undefined ? undefined : [sample])
    return { runNo: no, position: positions[0] ?? ofRun }
  }
  const noteIn = (workspaceId: string, runId: string, noteId: string): NoteRow =>
    requireFound(findNote(db, runs.locate(workspaceId, runId, []).no, noteId), 'note', noteId)

  const requireFewTags = (count: number) => {
    if (count > mostTags)
      throw new ApiError('conflict', `A run or sample can have at most ${mostTags} tags; this would make ${count}. Remove some first.`)
  }

  return {
    /** @throws ApiError not_found, conflict where a run would have too many tags */
    requireTaggable: (workspaceId: string, runId: string, { add_tags: added = [], remove_tags: removed = [] }: AnnotationChanges) => {
      const { no } = placesOf(workspaceId, runId, undefined)
      const present = marksOf(db, { runNo: no, position: ofRun }).flatMap(({ kind, tag }) => (kind === 'tag' ? [tag] : []))
      requireFewTags(new Set([...present.filter(tag => !removed.includes(tag)), ...added]).size)
    },
    read: ({ principal, workspace }: Asker, runId: string, sample: string | undefined): Annotations => {
      const target = targetOf(workspace.id, runId, sample)
      const marks = marksOf(db, target)
      const bookmark = marks.find(mark => mark.kind === 'bookmark')
      return {
        bookmark: bookmark ? { by: authorOf(bookmark), at: bookmark.at } : null,
        tags: marks.filter(mark => mark.kind === 'tag').map(mark => ({ tag: mark.tag, by: authorOf(mark), at: mark.at })),
        notes: notesOf(db, target).map(row => toNote(runId, row, principal)),
      }
    },
    change: ({ principal, workspace }: Asker, runId: string, changes: AnnotationChanges) => {
      const { no, positions } = placesOf(workspace.id, runId, changes.sample_ids)
      const by = writerOf(principal)
      const at = timestamp(clock)
      db.transaction(() => {
        for (const tag of changes.remove_tags ?? []) removeMark(db, no, positions, { kind: 'tag', tag })
        for (const tag of changes.add_tags ?? []) addMark(db, no, positions, { kind: 'tag', tag }, by, at)
        if (changes.bookmarked === true) addMark(db, no, positions, { kind: 'bookmark', tag: '' }, by, at)
        if (changes.bookmarked === false) removeMark(db, no, positions, { kind: 'bookmark', tag: '' })
        requireFewTags(largestTagCount(db, no, positions))
      })
      return { targets: positions.length }
    },
    createNote: ({ principal, workspace }: Asker, runId: string, { sample_id, note }: NewNote): Note => {
      const target = targetOf(workspace.id, runId, sample_id)
      return db.transaction(() => {
        if (notesOf(db, target).length >= mostNotes)
          throw new ApiError('conflict', `This ${sample_id ? 'sample' : 'run'} already has ${mostNotes} notes. Edit or delete one first.`)
        const id = ids.next()
        insertNote(db, target, { id, text: note, by: writerOf(principal), at: timestamp(clock) })
        return toNote(runId, noteIn(workspace.id, runId, id), principal)
      })
    },
    changeNote: ({ principal, workspace }: Asker, runId: string, noteId: string, text: string): Note => {
      const note = noteIn(workspace.id, runId, noteId)
      if (!isAuthor(principal, note))
        throw new ApiError('conflict', `Only its author, ${note.by_name}, can edit this note. Add a note of your own instead.`)
      if (text !== note.text) rewriteNote(db, note.no, text, timestamp(clock))
      return toNote(runId, noteIn(workspace.id, runId, noteId), principal)
    },
    deleteNote: ({ principal, workspace }: Asker, runId: string, noteId: string) => {
      const note = noteIn(workspace.id, runId, noteId)
      if (!isAuthor(principal, note)) requireRole(principal, workspace, ['owner', 'admin'], 'delete the notes of others')
      removeNote(db, note.no)
      return { note_id: note.id }
    },
    tags: (workspaceId: string, { run_id, ...query }: Omit<TagsQuery, 'runNo'> & { readonly run_id?: string | undefined }) =>
      listTags(db, workspaceId, { ...query, runNo: run_id === undefined ? null : runs.locate(workspaceId, run_id, []).no }),
  }
}

function writerOf(principal: Principal): Author {
  return principal.kind === 'session'
    ? { kind: 'person', id: principal.personId, name: principal.name }
    : { kind: 'key', id: principal.id, name: principal.name }
}

function isAuthor(principal: Principal, note: NoteRow): boolean {
  const { kind, id } = writerOf(principal)
  return note.by_kind === kind && note.by_id === id
}

function toNote(runId: string, row: NoteRow, reader: Principal): Note {
  const id = runId.toLowerCase()
  return {
    id: row.id,
    run_id: id,
    sample_id: row.position === ofRun ? null : sampleId(id, row.position),
    note: row.text,
    by: authorOf(row),
    own: isAuthor(reader, row),
    created_at: row.created_at,
    changed_at: row.changed_at,
  }
}
