import { queryOptions, skipToken, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import type { Calibration, Draft, NewCalibration, NewDraft } from '../../contract/evaluators/calibrations.schemas.ts'
import type { EvaluatorSnapshot, NewEvaluator, TryEvaluator } from '../../contract/evaluators/evaluators.schemas.ts'
import type { NewRemoteScorer } from '../../contract/evaluators/remote-scorers.schemas.ts'
import type { FilingQuery } from '../items/use-filing.tsx'
import { useCreation, useQuickChange } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { everyPage, pagedQuery } from '../api/pages.ts'

/** While a job runs, its record is read again. */
const POLL_MS = 1000

export const evaluatorsQuery = (
  filters: { readonly q: string; readonly kind: NewEvaluator['definition']['kind'] | undefined } & FilingQuery,
) =>
  pagedQuery(['evaluators', 'list', filters], (cursor, signal) => {
    const { kind, ...others } = filters
    return call('listEvaluators', { query: { ...others, cursor, ...(kind && { kind }) } }, { signal })
  })

/** The latest version of every evaluator, newest first, for fields in which one is chosen. */
export const evaluatorVersionsQuery = queryOptions({
  queryKey: ['evaluators', 'versions'],
  queryFn: ({ signal }) => everyPage(cursor => call('listEvaluators', { query: { cursor, limit: 100 } }, { signal })),
})

/** Whether it grades one output at a time, and not two against each other. */
export function gradesOneOutput({ definition }: Pick<EvaluatorSnapshot, 'definition'>): boolean {
  return definition.kind !== 'model_graded' || definition.mode !== 'pairwise'
}

export const evaluatorQuery = (id: string) =>
  queryOptions({
    queryKey: ['evaluators', 'one', id],
    queryFn: ({ signal }) => call('getEvaluator', { params: { evaluator_version_id: id } }, { signal }),
  })

export const useEvaluatorOptions = () =>
  useQuery({
    queryKey: ['evaluators', 'options'],
    queryFn: ({ signal }) => call('getEvaluatorOptions', {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Scorers by their titles, with the id that definitions hold. */
export function useScorerName(): (id: string) => string {
  const { data } = useEvaluatorOptions()
  return useCallback(
    id => {
      const scorer = data?.scorers.find(one => one.id === id)
      return scorer ? `${scorer.title} (${id})` : id
    },
    [data],
  )
}

/** Every frozen version of every dataset, the newest of each first: what evaluators are calibrated on. */
export const useFrozenVersions = () =>
  useQuery({
    queryKey: ['datasets', 'frozen'],
    queryFn: async ({ signal }) => {
      const all = await everyPage(cursor => call('listDatasets', { query: { cursor, limit: 100 } }, { signal }))
      const versionsOf = async (datasetId: string, latest: NonNullable<Dataset['latest_version']>) =>
        latest.version === 1
          ? [latest]
          : everyPage(cursor =>
              call('listDatasetVersions', { params: { dataset_id: datasetId }, query: { cursor, limit: 100 } }, { signal }),
            )
      const lists = await Promise.all(
        all.map(async ({ id, name, task, latest_version: latest }) => {
          const versions = latest ? await versionsOf(id, latest) : []
          return versions.toSorted((a, b) => b.version - a.version).map(version => ({ id, name, task, version }))
        }),
      )
      return lists.flat()
    },
  })

export const examplesQuery = (versionId: string | null, limit: number) =>
  queryOptions({
    queryKey: ['evaluators', 'examples', versionId, limit],
    queryFn:
      versionId === null
        ? skipToken
        : ({ signal }) => call('listCalibrationExamples', { params: { dataset_version_id: versionId }, query: { limit } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const versionExamplesQuery = (versionId: string) =>
  pagedQuery(['evaluators', 'version-examples', versionId], (cursor, signal) =>
    call('listCalibrationExamples', { params: { dataset_version_id: versionId }, query: { cursor, limit: 50 } }, { signal }),
  )

export const exampleQuery = (datasetId: string, exampleId: string, revision: number) =>
  queryOptions({
    queryKey: ['evaluators', 'example', exampleId, revision],
    queryFn: ({ signal }) =>
      call('getExample', { params: { dataset_id: datasetId, example_id: exampleId }, query: { revision } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Preview of an unsaved definition on an output; calls no model. */
export const triedQuery = (body: TryEvaluator | null) =>
  queryOptions({
    queryKey: ['evaluators', 'try', body],
    queryFn: body === null ? skipToken : ({ signal }) => call('tryEvaluator', { body }, { signal }),
    retry: false,
    staleTime: 60_000,
  })

export const useSaveEvaluator = () =>
  useCreation('new-evaluator', (body: NewEvaluator, headers) => call('createEvaluator', { body, headers }, { announce: false }), [
    'evaluators',
  ])

const goesOn = (status: Calibration['status'] | Draft['status']) => status !== 'resolved' && status !== 'ready' && status !== 'failed'

export const calibrationsQuery = (evaluatorId: string) =>
  queryOptions({
    queryKey: ['evaluators', 'calibrations', evaluatorId],
    queryFn: ({ signal }) =>
      everyPage(cursor => call('listCalibrations', { query: { evaluator_id: evaluatorId, cursor, limit: 100 } }, { signal })),
    refetchInterval: query => (query.state.data?.some(({ status }) => goesOn(status)) ? POLL_MS : false),
  })

export const calibrationQuery = (id: string) =>
  queryOptions({
    queryKey: ['evaluators', 'calibration', id],
    queryFn: ({ signal }) => call('getCalibration', { params: { calibration_id: id } }, { signal }),
    refetchInterval: query => (query.state.data && goesOn(query.state.data.status) ? POLL_MS : false),
  })

export interface ItemFilter {
  readonly label: string | null
  readonly verdict: string | null
  readonly unscored: boolean
}

/** The examples of one cell of the matrix; without one, every disagreement. */
export const itemsQuery = (id: string, { label, verdict, unscored }: ItemFilter) =>
  pagedQuery(['evaluators', 'items', id, label, verdict, unscored], (cursor, signal) =>
    call(
      'listCalibrationItems',
      {
        params: { calibration_id: id },
        query: {
          cursor,
          limit: 50,
          ...(label !== null && { label }),
          ...(verdict !== null && { verdict }),
          ...(unscored && { unscored }),
          ...(label === null && verdict === null && !unscored && { agrees: false }),
        },
      },
      { signal },
    ),
  )

export const useCalibrate = () =>
  useCreation(
    'new-calibration',
    (body: Partial<NewCalibration> & Pick<NewCalibration, 'evaluator_version_id' | 'dataset_version_id'>, headers) =>
      call('createCalibration', { body, headers }),
    ['evaluators'],
  )

export const useRetryJob = (jobId: string) => useQuickChange(() => call('retryJob', { params: { job_id: jobId } }), ['evaluators'])

/** Raises the limit of a failed calibration and lets its job continue. */
export const useRaiseLimit = ({ id, job_id }: Pick<Calibration, 'id' | 'job_id'>) =>
  useQuickChange(
    async (limit: string) => {
      await call('changeCalibration', { params: { calibration_id: id }, body: { max_charge_microusd: limit } })
      await call('retryJob', { params: { job_id } })
    },
    ['evaluators'],
  )

export const useCancelJob = (jobId: string) => useQuickChange(() => call('cancelJob', { params: { job_id: jobId } }), ['evaluators'])

/** Sends an example whose label or verdict is doubtful back to its reviewers. */
export const useSendToReview = (datasetId: string) =>
  useQuickChange(
    ({ exampleId, revision, note }: { readonly exampleId: string; readonly revision: number; readonly note: string }) =>
      call(
        'reviewExample',
        { params: { dataset_id: datasetId, example_id: exampleId }, body: { revision, decision: 'submit', note } },
        { announce: false },
      ),
    ['datasets'],
  )

export const draftQuery = (id: string) =>
  queryOptions({
    queryKey: ['evaluators', 'draft', id],
    queryFn: ({ signal }) => call('getEvaluatorDraft', { params: { draft_id: id } }, { signal }),
    refetchInterval: query => (query.state.data && goesOn(query.state.data.status) ? POLL_MS : false),
  })

export function useDrafts() {
  return useInfiniteQuery({
    ...pagedQuery(['evaluators', 'drafts'], (cursor, signal) => call('listEvaluatorDrafts', { query: { cursor, limit: 50 } }, { signal })),
    refetchInterval: ({ state }) => (state.data?.pages.some(({ items }) => items.some(({ status }) => goesOn(status))) ? POLL_MS : false),
  })
}

export const useDraft = () =>
  useCreation('new-evaluator-draft', (body: Partial<NewDraft> & Pick<NewDraft, 'dataset_version_id' | 'mode'>, headers) =>
    call('createEvaluatorDraft', { body, headers }),
  )

export const useRemoteScorers = () =>
  useQuery({
    queryKey: ['evaluators', 'remote-scorers'],
    queryFn: ({ signal }) => everyPage(cursor => call('listRemoteScorers', { query: { cursor, limit: 100 } }, { signal })),
  })

export function useRemoteScorerActions() {
  const client = useQueryClient()
  const key = useIdempotencyKey('new-remote-scorer')
  const onSettled = () => void client.invalidateQueries({ queryKey: ['evaluators', 'remote-scorers'] })
  const of = (id: string) => ({ params: { remote_scorer_id: id } })
  return {
    create: useMutation({
      mutationFn: (body: Pick<NewRemoteScorer, 'name' | 'url' | 'description'>) =>
        call('createRemoteScorer', { body, headers: key.headersFor(body) }),
      onSuccess: () => key.done(),
      onSettled,
    }),
    test: useMutation({ mutationFn: (id: string) => call('testRemoteScorer', of(id)), onSettled }),
    rotate: useMutation({ mutationFn: (id: string) => call('rotateRemoteScorerSecret', of(id)), onSettled }),
    disable: useMutation({ mutationFn: (id: string) => call('disableRemoteScorer', of(id)), onSettled }),
    enable: useMutation({ mutationFn: (id: string) => call('updateRemoteScorer', { ...of(id), body: { status: 'active' } }), onSettled }),
  }
}

/** Calls and price of a calibration. */
export const calibrationQuoteQuery = (evaluator_version_id: string, dataset_version_id: string) =>
  queryOptions({
    queryKey: ['evaluators', 'calibration-quote', evaluator_version_id, dataset_version_id],
    queryFn: ({ signal }) => call('quoteCalibration', { body: { evaluator_version_id, dataset_version_id } }, { signal }),
    retry: false,
  })
