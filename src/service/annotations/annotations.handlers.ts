import type { annotationsEndpoints } from '../../contract/annotations/annotations.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { AnnotationsService } from './annotations.service.ts'

export function annotationsHandlers(annotations: AnnotationsService): Handlers<typeof annotationsEndpoints> {
  return {
    getAnnotations: (asker, { params, query }) => annotations.read(asker, params.run_id, query.sample_id),
    changeAnnotations: (asker, { params, body }) => annotations.change(asker, params.run_id, body),
    createNote: (asker, { params, body }) => annotations.createNote(asker, params.run_id, body),
    changeNote: (asker, { params, body }) => annotations.changeNote(asker, params.run_id, params.note_id, body.note),
    deleteNote: (asker, { params }) => annotations.deleteNote(asker, params.run_id, params.note_id),
    listTags: ({ workspaceId }, { query }) => annotations.tags(workspaceId, query),
  }
}
