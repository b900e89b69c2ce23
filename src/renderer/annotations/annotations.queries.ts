import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AnnotationChanges } from '../../contract/annotations/annotations.schemas.ts'
import type { NewReleaseLabel } from '../../contract/releases/labels.schemas.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'

const SUGGESTED = 100
const VERDICTS = 20

/** A run, or one of its samples. */
export interface Target {
  readonly runId: string
  /** Null: the run itself. */
  readonly sampleId: string | null
}

export const annotationsQuery = ({ runId, sampleId }: Target) =>
  queryOptions({
    queryKey: ['annotations', runId, sampleId],
    queryFn: ({ signal }) =>
      call('getAnnotations', { params: { run_id: runId }, query: sampleId === null ? {} : { sample_id: sampleId } }, { signal }),
  })

/** The first tags in use that contain a text, to choose from: all, those of runs, or those of one run's samples. */
export const tagsQuery = (of: 'all' | 'runs' | { readonly samplesOf: string }, q = '') => {
  const query = {
    limit: SUGGESTED,
    q: q.trim().slice(0, 50),
    ...(of === 'all' ? {} : of === 'runs' ? { of } : ({ of: 'samples', run_id: of.samplesOf } as const)),
  }
  return queryOptions({
    queryKey: ['annotations', 'tags', query],
    queryFn: ({ signal }) => call('listTags', { query }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  })
}

/** Lists show annotations too, so they are read again. */
function useRefresh(runId: string): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['annotations'] }),
      client.invalidateQueries({ queryKey: ['runs'] }),
      client.invalidateQueries({ queryKey: ['samples', runId], predicate: ({ queryKey }) => queryKey[2] !== 'one' }),
    ])
}

export function useChangeAnnotations(runId: string) {
  const refresh = useRefresh(runId)
  return useMutation({
    mutationFn: (body: AnnotationChanges) => call('changeAnnotations', { params: { run_id: runId }, body }),
    onSuccess: refresh,
  })
}

export function useCreateNote({ runId, sampleId }: Target) {
  const refresh = useRefresh(runId)
  const key = useIdempotencyKey(`note-${sampleId ?? runId}`)
  return useMutation({
    mutationFn: (note: string) => {
      const body = { note, ...(sampleId === null ? {} : { sample_id: sampleId }) }
      return call('createNote', { params: { run_id: runId }, body, headers: key.headersFor(body) })
    },
    onSuccess: () => {
      key.done()
      return refresh()
    },
  })
}

export function useChangeNote(runId: string, noteId: string) {
  const refresh = useRefresh(runId)
  return useMutation({
    mutationFn: (note: string) => call('changeNote', { params: { run_id: runId, note_id: noteId }, body: { note } }),
    onSuccess: refresh,
  })
}

export function useDeleteNote(runId: string, noteId: string) {
  const refresh = useRefresh(runId)
  return useMutation({
    mutationFn: () => call('deleteNote', { params: { run_id: runId, note_id: noteId } }),
    onSuccess: refresh,
  })
}

export const verdictsQuery = (runId: string, sampleId: string) =>
  queryOptions({
    queryKey: ['annotations', 'verdicts', runId, sampleId],
    queryFn: ({ signal }) => call('listReleaseLabels', { query: { run_id: runId, sample_id: sampleId, limit: VERDICTS } }, { signal }),
  })

export function useAddVerdict(runId: string, sampleId: string) {
  const client = useQueryClient()
  const key = useIdempotencyKey(`verdict-${sampleId}`)
  return useMutation({
    mutationFn: (verdict: Pick<NewReleaseLabel, 'verdict' | 'rationale'>) => {
      const body = { target: { run_id: runId, sample_id: sampleId }, ...verdict }
      return call('createReleaseLabel', { body, headers: key.headersFor(body) })
    },
    onSuccess: () => {
      key.done()
      return client.invalidateQueries({ queryKey: ['annotations', 'verdicts', runId, sampleId] })
    },
  })
}
