import { queryOptions, useQuery } from '@tanstack/react-query'
import type { TaskMetadata } from '../../contract/catalog/tasks.schemas.ts'
import { EvaluationQuoteRequest } from '../../contract/evaluations/evaluations.schemas.ts'
import type { NewSuite, SuiteSummary } from '../../contract/suites/suites.schemas.ts'
import type { FilingQuery } from '../items/use-filing.tsx'
import type { TextMatch } from '../../lib/text-query.ts'
import { useCreation } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { everyPage } from '../api/pages.ts'
import { useRequestedQuote } from '../quotes/use-requested-quote.ts'
import { modelOf } from '../quotes/model-value.ts'

/** Tasks that one answer holds at most. */
const TASK_PAGE = 1000

/** The workspace's suites and the public ones, latest versions, in one list; a public suite of the workspace is there once. */
export function useSuites(filing: FilingQuery = {}) {
  return useQuery({
    queryKey: ['suites', 'list', filing],
    queryFn: async ({ signal }): Promise<readonly SuiteSummary[]> => {
      const [own, open] = await Promise.all([
        everyPage(cursor => call('listSuites', { query: { ...filing, cursor, limit: 100 } }, { signal })),
        // What ships with the product is in no folder and never archived.
        filing.folder || filing.archived === 'true'
          ? []
          : everyPage(cursor => call('listPublicSuites', { query: { cursor, limit: 100 } }, { signal })),
      ])
      const known = new Set(own.map(suite => suite.id))
      return [...own, ...open.filter(suite => !known.has(suite.id))]
    },
  })
}

/** A suite version is never changed, but a later one may follow it. */
export const suiteQuery = (id: string) =>
  queryOptions({
    queryKey: ['suites', 'one', id],
    queryFn: ({ signal }) => call('getSuite', { params: { suite_version_id: id } }, { signal }),
  })

/** Every task of a source that holds the words, over all pages. */
export async function everyTask(sourceRef: string, q: string, match: TextMatch = 'words'): Promise<readonly TaskMetadata[]> {
  const found: TaskMetadata[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(sourceRef, { q, match, offset })
    found.push(...page.items)
    offset = page.next_offset
  }
  return found
}

function readPage(sourceRef: string, search: { readonly q: string; readonly match: TextMatch; readonly offset: number }) {
  return call('listTasks', { query: { source_ref: sourceRef, ...search, limit: TASK_PAGE } })
}

/** What the tasks of a suite begin with and are about. */
export const suiteTasksQuery = (id: string) =>
  queryOptions({
    queryKey: ['suites', 'tasks', id],
    queryFn: async (): Promise<readonly TaskMetadata[]> => {
      const suite = await call('getSuite', { params: { suite_version_id: id } })
      const parts = await Promise.all(
        suite.task_selections.map(async ({ source_ref: source, split, task_ids: ids }) => {
          const wanted = new Set(ids)
          const tasks = await everyTask(source, '')
          return tasks.filter(task => task.split === split && wanted.has(task.task_id))
        }),
      )
      return parts.flat()
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

export const useCreateSuite = () =>
  useCreation('new-suite', (body: NewSuite, headers) => call('createSuite', { body, headers }), ['suites'])

/** The tasks of an evaluation: a suite's version, or named one by one. */
export type EvaluatedTasks = Pick<EvaluationQuoteRequest, 'suite_version_id' | 'task_selections'>

/** What the evaluation would take, following the form; there is none before a model and an amount are chosen. */
export function useEvaluationQuote(tasks: EvaluatedTasks, model: string | null, maxChargeMicrousd: string | null) {
  const request =
    model === null || maxChargeMicrousd === null ? null : { model: modelOf(model), ...tasks, max_charge_microusd: maxChargeMicrousd }
  return useRequestedQuote(request, (body, headers, signal) =>
    call('quoteEvaluation', { body: EvaluationQuoteRequest.parse(body), headers }, { signal }),
  )
}

/** @param of suite or selection, to whose form a repeated start belongs */
export const useStartEvaluation = (of: string, tasks: EvaluatedTasks) =>
  useCreation(
    `evaluate-${of}`,
    (body: { readonly name: string; readonly model: string; readonly max_charge_microusd: string }, headers) =>
      call('createEvaluation', {
        body: {
          name: body.name,
          model: modelOf(body.model),
          ...tasks,
          max_charge_microusd: body.max_charge_microusd,
        },
        headers,
      }),
    ['runs'],
    ['evaluations'],
  )
