import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { AnnotationChanges, Annotations, AnnotationsQuery, NewNote, Note, NoteChanges, TagUse } from './annotations.schemas.ts'

const params = z.strictObject({ run_id: Uuid })
const noteParams = z.strictObject({ run_id: Uuid, note_id: Uuid })

export const annotationsEndpoints = endpoints('Annotations', {
  getAnnotations: {
    route: 'GET /v1/runs/{run_id}/annotations',
    summary: 'Read bookmark, tags and notes of a run or sample',
    description: 'Notes, tags and bookmarks belong to people and change no figure.',
    scope: 'runs:read',
    params,
    query: AnnotationsQuery,
    response: Annotations,
  },
  changeAnnotations: {
    route: 'PATCH /v1/runs/{run_id}/annotations',
    summary: 'Bookmark and tag a run or its samples',
    description: 'All named samples change together or not at all. Annotations of a retry belong to the run that it is part of.',
    scope: 'runs:write',
    params,
    body: AnnotationChanges,
    response: z.strictObject({ targets: z.int().min(1).describe('The run, or its named samples.') }),
    errors: ['conflict'],
  },
  createNote: {
    route: 'POST /v1/runs/{run_id}/notes',
    summary: 'Add a note to a run or sample',
    description: 'Visible to everyone in the workspace.',
    scope: 'runs:write',
    status: 201,
    idempotent: 'stored',
    params,
    body: NewNote,
    response: Note,
    errors: ['conflict'],
  },
  changeNote: {
    route: 'PATCH /v1/runs/{run_id}/notes/{note_id}',
    summary: 'Edit your own note',
    description: 'Notes of others cannot be changed.',
    scope: 'runs:write',
    params: noteParams,
    body: NoteChanges,
    response: Note,
    errors: ['conflict'],
  },
  deleteNote: {
    route: 'DELETE /v1/runs/{run_id}/notes/{note_id}',
    summary: 'Delete a note',
    description: 'Its author may, and so may owners and admins of the workspace.',
    scope: 'runs:write',
    params: noteParams,
    response: z.strictObject({ note_id: Uuid }),
    errors: ['owner_session_required'],
  },
  listTags: {
    route: 'GET /v1/tags',
    summary: 'List the tags of runs and samples',
    description: 'In alphabetical order.',
    scope: 'runs:read',
    query: z.strictObject({
      ...paging(),
      run_id: Uuid.optional().describe('Only tags of this run and its samples.'),
      of: z.enum(['runs', 'samples']).optional().describe('Only tags that runs have, or that samples have.'),
      q: z.string().trim().max(50).default('').describe('Part of a tag.'),
    }),
    response: page(TagUse),
    errors: ['invalid_cursor'],
  },
})
