import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AnnotationChanges } from '../../contract/annotations/annotations.schemas.ts'
import type { NewReleaseLabel } from '../../contract/releases/labels.schemas.ts'
import { useChange, useOnce } from '../api/changes.ts'
import { call } from '../api/client.ts'

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

/** A change of a run's annotations. Lists show them too, so they are read again. */
function useAnnotating<Output, Input = void>(runId: string, mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['annotations'] }),
        client.invalidateQueries({ queryKey: ['runs'] }),
        client.invalidateQueries({ queryKey: ['samples', runId], predicate: ({ queryKey }) => queryKey[2] !== 'one' }),
      ]),
  })
}

export const useChangeAnnotations = (runId: string) =>
  useAnnotating(runId, (body: AnnotationChanges) => call('changeAnnotations', { params: { run_id: runId }, body }))

export const useCreateNote = ({ runId, sampleId }: Target) =>
  useAnnotating(
    runId,
    useOnce(`note-${sampleId ?? runId}`, (note: string, headers) =>
      call('createNote', { params: { run_id: runId }, body: { note, ...(sampleId === null ? {} : { sample_id: sampleId }) }, headers }),
    ),
  )

export const useChangeNote = (runId: string, noteId: string) =>
  useAnnotating(runId, (note: string) => call('changeNote', { params: { run_id: runId, note_id: noteId }, body: { note } }))

export const useDeleteNote = (runId: string, noteId: string) =>
  useAnnotating(runId, () => call('deleteNote', { params: { run_id: runId, note_id: noteId } }))

export const verdictsQuery = (runId: string, sampleId: string) =>
  queryOptions({
    queryKey: ['annotations', 'verdicts', runId, sampleId],
    queryFn: ({ signal }) => call('listReleaseLabels', { query: { run_id: runId, sample_id: sampleId, limit: VERDICTS } }, { signal }),
  })

export const useAddVerdict = (runId: string, sampleId: string) =>
  useChange(
    useOnce(`verdict-${sampleId}`, (verdict: Pick<NewReleaseLabel, 'verdict' | 'rationale'>, headers) =>
      call('createReleaseLabel', { body: { target: { run_id: runId, sample_id: sampleId }, ...verdict }, headers }),
    ),
    ['annotations', 'verdicts', runId, sampleId],
  )
