import { infiniteQueryOptions, queryOptions, skipToken, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../contract/api.ts'
import type { Request } from '../../contract/endpoint.ts'
import type { TuneDraftPatch, TuneGrader } from '../../contract/tuning/draft.schemas.ts'
import type { TuneMonitor } from '../../contract/tuning/monitors.schemas.ts'
import type { TuneSession, TuneSessionListItem } from '../../contract/tuning/sessions.schemas.ts'
import { useChange, useCreation } from '../api/changes.ts'
import { call, callPage } from '../api/client.ts'
import { allItems, everyPage, pagedQuery } from '../api/pages.ts'
import type { FilingQuery } from '../items/use-filing.tsx'

/** While work runs, its record is read again. */
const POLL_MS = 1000
const LIST_POLL_MS = 3000
const isOpen = (status: string) => status === 'running' || status === 'accepted'
/** Racing, or about to be quoted and started by the service. */
const isBusy = ({ status, approval, problem, groups }: TuneSession) =>
  status === 'running' ||
  ((status === 'approved' || status === 'quoted') && approval?.auto != null && problem === null && groups.length === 0)

export const sessionsQuery = (filters: { readonly q: string; readonly status: TuneSessionListItem['status'] | undefined } & FilingQuery) =>
  infiniteQueryOptions({
    ...pagedQuery(['tuning', 'sessions', filters], (cursor, signal) => {
      const { status, ...others } = filters
      return call('listTuneSessions', { query: { ...others, cursor, ...(status && { status }) } }, { signal })
    }),
    refetchInterval: query => (allItems(query.state.data).some(({ status }) => isOpen(status)) ? LIST_POLL_MS : false),
  })

export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ['tuning', 'session', id],
    queryFn: async ({ signal, client }) => {
      const known = client.getQueryData<TuneSession>(['tuning', 'session', id])
      if (!known || !isBusy(known)) return call('getTuneSession', { params: { session_id: id } }, { signal })
      // An approved draft never changes: its cases, which may be megabytes, are read once.
      const { draft, ...session } = await call('getTuneSession', { params: { session_id: id }, query: { cases: 0 } }, { signal })
      return { ...session, draft: { ...draft, cases: known.draft.cases } }
    },
    refetchInterval: query => (query.state.data && isBusy(query.state.data) ? POLL_MS : false),
  })

/** A session's name without its cases. */
export const sessionNameQuery = (id: string) =>
  queryOptions({
    queryKey: ['tuning', 'session-name', id],
    queryFn: async ({ signal }) => (await call('getTuneSession', { params: { session_id: id }, query: { cases: 0 } }, { signal })).name,
  })

type NewSession = Request<Api['createTuneSession']>['body']

export const useCreateSession = () =>
  useCreation('new-tune-session', (body: NewSession, headers) => call('createTuneSession', { body, headers }), ['tuning', 'sessions'])

export function usePatchDraft(session: TuneSession) {
  const client = useQueryClient()
  const { queryKey } = sessionQuery(session.id)
  return useMutation({
    // One after the other: what is saved before an earlier save was answered changes the revision that the earlier one made.
    scope: { id: `tuning ${session.id}` },
    mutationFn: (changes: Omit<TuneDraftPatch, 'revision'>) => {
      const { revision } = client.getQueryData(queryKey) ?? session
      return call('patchTuneDraft', { params: { session_id: session.id }, body: { revision, ...changes } })
    },
    onSuccess: saved => client.setQueryData(queryKey, saved),
  })
}

/** Preview of a grader on an answer; calls no model. */
export const triedGraderQuery = (
  grader: TuneGrader | null,
  example: { input: string; output: string; expected: string | string[] | null } | null,
) =>
  queryOptions({
    queryKey: ['tuning', 'tried', grader, example],
    queryFn:
      grader === null || example === null
        ? skipToken
        : async ({ signal }) => {
            const definition =
              'evaluator_version_id' in grader
                ? (await call('getEvaluator', { params: { evaluator_version_id: grader.evaluator_version_id } }, { signal })).definition
                : ({ kind: 'deterministic', scorer: grader.scorer, options: grader.options, target_from: 'expected' } as const)
            return call(
              'tryEvaluator',
              {
                body: {
                  definition,
                  input: example.input,
                  output: example.output,
                  ...(example.expected !== null && { expected: example.expected }),
                },
              },
              { signal },
            )
          },
    retry: false,
    staleTime: 60_000,
  })

export const monitorsQuery = queryOptions({
  queryKey: ['tuning', 'monitors'],
  queryFn: ({ signal }) =>
    everyPage(async cursor => {
      const { data: items, nextCursor: next_cursor } = await callPage('listTuneMonitors', { query: { cursor, limit: 100 } }, { signal })
      return { items, next_cursor }
    }),
  refetchInterval: query => (query.state.data?.some(({ last_occurrence: last }) => last && isOpen(last.status)) ? POLL_MS : false),
})

export const occurrencesQuery = (monitorId: string) =>
  infiniteQueryOptions({
    ...pagedQuery(['tuning', 'occurrences', monitorId], async (cursor, signal) => {
      const request = { params: { monitor_id: monitorId }, query: { cursor, limit: 100 } }
      const { data: items, nextCursor: next_cursor } = await callPage('listTuneOccurrences', request, { signal })
      return { items, next_cursor }
    }),
    refetchInterval: query => (allItems(query.state.data).some(({ status }) => isOpen(status)) ? POLL_MS : false),
  })

export const useMonitorStatus = (id: string) =>
  useChange(
    (status: TuneMonitor['status']) => call('patchTuneMonitor', { params: { monitor_id: id }, body: { status } }),
    ['tuning', 'monitors'],
  )

export const useRunMonitor = (id: string) =>
  useChange(() => call('createTuneMonitorEvent', { params: { monitor_id: id }, body: { type: 'manual' } }), ['tuning'])

export type NewMonitor = Request<Api['createTuneMonitor']>['body']

export const useCreateMonitor = () =>
  useCreation('new-tune-monitor', (body: NewMonitor, headers) => call('createTuneMonitor', { body, headers }), ['tuning', 'monitors'])
