import { keepPreviousData, queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../contract/api.ts'
import type { Request } from '../../contract/endpoint.ts'
import { isTerminal } from '../../contract/machine.ts'
import { decisionMachine } from '../../contract/releases/decision.machine.ts'
import { type Decision, NewPlanPreview } from '../../contract/releases/decisions.schemas.ts'
import type { FilingQuery } from '../items/use-filing.tsx'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { everyPage, pagedQuery } from '../api/pages.ts'
import { upload } from '../api/upload.ts'

type BodyOf<Id extends keyof Api> = NonNullable<Request<Api[Id]>['body']>
export type NewSuite = BodyOf<'createReleaseSuite'>
export type AnalysisBody = BodyOf<'previewEvidence'>
type NewPolicy = BodyOf<'createReleasePolicy'>

/** While something runs for a decision, its page asks again. */
const pollMs = 1500

export function useDecisions(filters: FilingQuery & { readonly q?: string } = {}) {
  return useInfiniteQuery(
    pagedQuery(['releases', 'decisions', filters], (cursor, signal) =>
      call('listReleaseDecisions', { query: { ...filters, cursor } }, { signal }),
    ),
  )
}

/** Decisions that wait for a person. */
export const awaitedDecisionsQuery = queryOptions({
  queryKey: ['releases', 'awaited'],
  queryFn: ({ signal }) =>
    everyPage(cursor => call('listReleaseDecisions', { query: { status: 'awaiting_human', cursor, limit: 100 } }, { signal })),
})

export const decisionQuery = (id: string) =>
  queryOptions({
    queryKey: ['releases', 'decision', id],
    queryFn: ({ signal }) => call('getReleaseDecision', { params: { decision_id: id } }, { signal }),
    refetchInterval: ({ state }) => (isMoving(state.data) ? pollMs : false),
  })

type DecisionTaskFilters = Pick<NonNullable<Request<Api['listDecisionTasks']>['query']>, 'change' | 'group'>

/** @param state of the decision: its results are frozen look by look */
export function useDecisionTasks(id: string, state: string, filters: DecisionTaskFilters, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: ['releases', 'tasks', id, state, filters],
    queryFn: ({ pageParam, signal }) =>
      call('listDecisionTasks', { params: { decision_id: id }, query: { ...filters, cursor: pageParam, limit: 100 } }, { signal }),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: page => page.next_cursor ?? undefined,
    enabled,
    placeholderData: keepPreviousData,
  })
}

/** Exact tasks of a decision, to be run again. */
export const decisionSelectionQuery = (id: string, filters: DecisionTaskFilters) =>
  queryOptions({
    queryKey: ['releases', 'selection', id, filters],
    queryFn: ({ signal }) => call('selectDecisionTasks', { params: { decision_id: id }, body: filters }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** Whether it changes without anybody doing something. */
export function isMoving(decision: Pick<Decision, 'status' | 'missing'> | undefined): boolean {
  if (!decision || isTerminal(decisionMachine, decision.status)) return false
  // With nothing missing it continues by itself within a moment.
  return isBusy(decision) || (decision.status === 'collecting' && decision.missing.length === 0)
}

/** Whether there is nothing that a person could do but wait. */
export function isBusy({ status, missing }: Pick<Decision, 'status' | 'missing'>): boolean {
  return status === 'analyzing' || missing.some(({ code }) => code === 'evaluation_running')
}

/** A change, pending until releases are read again, also after a refusal. */
function useReleaseChange<Input, Output>(change: (input: Input) => Promise<Output>, done?: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => done?.(),
    onSettled: () => client.invalidateQueries({ queryKey: ['releases'] }),
  })
}

export function useAdvance(id: string) {
  return useReleaseChange(() => call('advanceReleaseDecision', { params: { decision_id: id } }))
}

export function useCancelDecision(id: string) {
  return useReleaseChange(() => call('cancelReleaseDecision', { params: { decision_id: id } }))
}

export function useRetryFailed() {
  return useReleaseChange((runId: string) => call('retryFailed', { params: { run_id: runId } }))
}

export function useCreateDecision() {
  const key = useIdempotencyKey('new-decision')
  return useReleaseChange(
    (body: BodyOf<'createReleaseDecision'>) => call('createReleaseDecision', { body, headers: key.headersFor(body) }),
    key.done,
  )
}

export function useCreateReleaseSuite() {
  const key = useIdempotencyKey('new-release-suite')
  return useReleaseChange((body: NewSuite) => call('createReleaseSuite', { body, headers: key.headersFor(body) }), key.done)
}

export function useCreatePolicy() {
  const key = useIdempotencyKey('new-release-policy')
  return useReleaseChange((body: NewPolicy) => call('createReleasePolicy', { body, headers: key.headersFor(body) }), key.done)
}

export function useLabel() {
  return useReleaseChange((body: BodyOf<'createReleaseLabel'>) => call('createReleaseLabel', { body }))
}

const assets = async (kind: 'suite' | 'policy' | 'external' | 'calibration', signal: AbortSignal) =>
  everyPage(cursor => call('listReleaseAssets', { query: { kind, cursor, limit: 100 } }, { signal }))

/** Every version of every release suite, newest first. */
export function useReleaseSuites() {
  return useQuery({
    queryKey: ['releases', 'suites'],
    queryFn: async ({ signal }) => (await assets('suite', signal)).flatMap(asset => (asset.kind === 'suite' ? [asset] : [])),
  })
}

export function usePolicies() {
  return useQuery({
    queryKey: ['releases', 'policies'],
    queryFn: async ({ signal }) => (await assets('policy', signal)).flatMap(asset => (asset.kind === 'policy' ? [asset] : [])),
  })
}

export function useEvidenceList() {
  return useQuery({
    queryKey: ['releases', 'evidence'],
    queryFn: async ({ signal }) => (await assets('external', signal)).flatMap(asset => (asset.kind === 'external' ? [asset] : [])),
  })
}

/** Pinned calibrations, newest first. */
export function useReleaseCalibrations() {
  return useQuery({
    queryKey: ['releases', 'calibrations'],
    queryFn: async ({ signal }) => (await assets('calibration', signal)).flatMap(asset => (asset.kind === 'calibration' ? [asset] : [])),
  })
}

/** What a plan can detect. @param asked the body as JSON text; null while there is none */
export const planPreviewQuery = (asked: string | null) =>
  queryOptions({
    queryKey: ['releases', 'plan-preview', asked],
    queryFn: ({ signal }) => call('previewReleasePlan', { body: NewPlanPreview.parse(JSON.parse(asked ?? 'null')) }, { signal }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })

export const evidenceQuery = (id: string) =>
  queryOptions({
    queryKey: ['releases', 'evidence', id],
    queryFn: ({ signal }) => call('getEvidence', { params: { evidence_id: id } }, { signal }),
  })

export const analysisQuery = (id: string, n: number) =>
  queryOptions({
    queryKey: ['releases', 'evidence', id, n],
    queryFn: ({ signal }) => call('getEvidenceAnalysis', { params: { evidence_id: id, n: String(n) } }, { signal }),
    enabled: n > 0,
  })

/** What an analysis would find. A file is read once for each way of reading it. */
export const previewQuery = (id: string, body: AnalysisBody) =>
  queryOptions({
    queryKey: ['releases', 'evidence', id, 'preview', body],
    queryFn: ({ signal }) => call('previewEvidence', { params: { evidence_id: id }, body }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
  })

export function useImportEvidence() {
  return useReleaseChange(({ file, ...fields }: { name: string; format: string; source: { tool: string }; file: File }) =>
    upload('createEvidence', { fields, files: [file] }),
  )
}

export function useStateEvidence() {
  return useReleaseChange((body: BodyOf<'createEvidence'>) => call('createEvidence', { body }))
}

export function useAnalyze(id: string) {
  return useReleaseChange((body: BodyOf<'analyzeEvidence'>) => call('analyzeEvidence', { params: { evidence_id: id }, body }))
}

export function useIssues() {
  return useQuery({
    queryKey: ['releases', 'issues'],
    queryFn: ({ signal }) => everyPage(cursor => call('listIssues', { query: { cursor, limit: 100 } }, { signal })),
  })
}

export function useReportIssue() {
  return useReleaseChange((body: BodyOf<'createIssueEvent'>) => call('createIssueEvent', { body }))
}

export const coverageQuery = (suiteId: string | null) =>
  queryOptions({
    queryKey: ['releases', 'coverage', suiteId],
    queryFn: ({ signal }) => call('getReleaseCoverage', { params: { suite_id: suiteId ?? '' } }, { signal }),
    enabled: suiteId !== null,
  })
