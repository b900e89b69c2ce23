import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { NewDataset } from '../../contract/datasets/datasets.schemas.ts'
import type { Example, ExampleOrigin, LabelState, NewExample, NewRevision, ReviewState } from '../../contract/datasets/examples.schemas.ts'
import type { NewDatasetBenchmark } from '../../contract/evaluators/dataset-benchmarks.schemas.ts'
import type { TextMatch } from '../../lib/text-query.ts'
import { useChange, useCreation } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

const SCAN_POLL_MS = 700

export interface ExampleFilters {
  readonly q?: string
  readonly match?: TextMatch | undefined
  readonly review_state?: ReviewState | undefined
  readonly label_state?: LabelState | undefined
  readonly label?: string | undefined
  readonly origin?: ExampleOrigin['kind'] | undefined
  readonly sort?: 'added' | '-added'
}

export function useDatasets(q: string, archived: boolean, folder?: string) {
  return useInfiniteQuery(
    pagedQuery(['datasets', 'list', q, archived, folder], (cursor, signal) =>
      call('listDatasets', { query: { cursor, q, archived, folder, limit: 50 } }, { signal }),
    ),
  )
}

export const datasetQuery = (id: string) =>
  queryOptions({
    queryKey: ['datasets', 'one', id],
    queryFn: ({ signal }) => call('getDataset', { params: { dataset_id: id } }, { signal }),
  })

export function useExamples(datasetId: string, filters: ExampleFilters) {
  return useInfiniteQuery(
    pagedQuery(['datasets', 'examples', datasetId, filters], (cursor, signal) =>
      call('listExamples', { params: { dataset_id: datasetId }, query: { ...filters, cursor, limit: 50 } }, { signal }),
    ),
  )
}

/**
 * The same for a review: read once for each visit, under a key that no change of datasets invalidates, since whoever reviews goes back
 * by places and a list that is read again lacks what has been decided.
 */
export function useExamplesToReview(datasetId: string, state: ReviewState) {
  return useInfiniteQuery({
    ...pagedQuery(['review', datasetId, state], (cursor, signal) =>
      call('listExamples', { params: { dataset_id: datasetId }, query: { review_state: state, cursor, limit: 50 } }, { signal }),
    ),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

export const exampleQuery = (datasetId: string, id: string) =>
  queryOptions({
    queryKey: ['datasets', 'example', datasetId, id],
    queryFn: ({ signal }) => call('getExample', { params: { dataset_id: datasetId, example_id: id } }, { signal }),
  })

export const historyQuery = (datasetId: string, id: string) =>
  queryOptions({
    queryKey: ['datasets', 'history', datasetId, id],
    queryFn: ({ signal }) => call('getVerificationHistory', { params: { dataset_id: datasetId, example_id: id } }, { signal }),
  })

export function useVersions(datasetId: string) {
  return useInfiniteQuery(
    pagedQuery(['datasets', 'versions', datasetId], (cursor, signal) =>
      call('listDatasetVersions', { params: { dataset_id: datasetId }, query: { cursor } }, { signal }),
    ),
  )
}

export const versionQuery = (datasetId: string, versionId: string) =>
  queryOptions({
    queryKey: ['datasets', 'version', versionId],
    queryFn: ({ signal }) => call('getDatasetVersion', { params: { dataset_id: datasetId, version_id: versionId } }, { signal }),
  })

export function useImports(datasetId: string) {
  return useInfiniteQuery({
    ...pagedQuery(['datasets', 'imports', datasetId], (cursor, signal) =>
      call('listDatasetImports', { params: { dataset_id: datasetId }, query: { dry_run: false, cursor, limit: 10 } }, { signal }),
    ),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ finished_at: end }) => end === null)) ? SCAN_POLL_MS : false,
  })
}

export function useVersionBenchmarks(datasetId: string, versionId: string) {
  return useInfiniteQuery(
    pagedQuery(['datasets', 'benchmarks', versionId], (cursor, signal) =>
      call('listDatasetBenchmarks', { params: { dataset_id: datasetId, version_id: versionId }, query: { cursor } }, { signal }),
    ),
  )
}

export const useMakeBenchmark = (datasetId: string, versionId: string) =>
  useCreation(
    `dataset-benchmark-${versionId}`,
    (body: NewDatasetBenchmark, headers) =>
      call('createDatasetBenchmark', { params: { dataset_id: datasetId, version_id: versionId }, body, headers }),
    ['datasets', 'benchmarks', versionId],
    ['catalog'],
  )

export function useVersionDiff(datasetId: string, versionId: string, against: string) {
  return useInfiniteQuery({
    queryKey: ['datasets', 'diff', versionId, against],
    queryFn: ({ pageParam, signal }) =>
      call(
        'diffDatasetVersions',
        {
          params: { dataset_id: datasetId, version_id: versionId },
          query: { ...(against ? { against } : {}), cursor: pageParam, limit: 20 },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: page => page.next_cursor ?? undefined,
  })
}

/** The latest scans; read again while one is under way. */
export function useScans(datasetId: string) {
  return useQuery({
    queryKey: ['datasets', 'scans', datasetId],
    queryFn: ({ signal }) => call('listDatasetScans', { params: { dataset_id: datasetId }, query: { limit: 5 } }, { signal }),
    refetchInterval: query => (query.state.data?.items.some(scan => scan.finished_at === null) ? SCAN_POLL_MS : false),
  })
}

export const useCreateDataset = () =>
  useCreation('new-dataset', (body: NewDataset, headers) => call('createDataset', { body, headers }), ['datasets'])

/** What a person does to a dataset; each refreshes what is shown of it. */
export function useDatasetChanges(datasetId: string) {
  const params = { dataset_id: datasetId }
  return {
    archive: useChange((archived: boolean) => call('updateDataset', { params, body: { archived } }), ['datasets']),
    add: useChange((example: NewExample) => call('addExamples', { params, body: { examples: [example] } }), ['datasets']),
    scan: useChange(() => call('createDatasetScan', { params, body: {} }), ['datasets']),
    freeze: useCreation(
      `dataset-version-${datasetId}`,
      (name: string, headers) => call('createDatasetVersion', { params, body: name === '' ? {} : { name }, headers }),
      ['datasets'],
    ),
  }
}

/** What a reviewer does to one example. The answers are the example as it is then. */
export function exampleActions(datasetId: string) {
  const of = ({ id }: Example) => ({ dataset_id: datasetId, example_id: id })
  return {
    review: (example: Example, decision: 'submit' | 'approve' | 'reject' | 'reopen') =>
      call('reviewExample', { params: of(example), body: { revision: example.revision, decision } }),
    label: (example: Example, value: string | number | null) =>
      call('labelExample', { params: of(example), body: { revision: example.revision, value } }),
    revise: (example: Example, changes: Omit<NewRevision, 'base_revision'>) =>
      call('reviseExample', { params: of(example), body: { base_revision: example.revision, ...changes } }),
  }
}
