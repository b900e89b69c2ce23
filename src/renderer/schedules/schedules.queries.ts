import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewSchedule, ScheduleChanges } from '../../contract/schedules/schedules.schemas.ts'
import { useCreation } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { everyPage, pagedQuery } from '../api/pages.ts'

const pollMs = 5_000

export const schedulesQuery = queryOptions({
  queryKey: ['schedules', 'list'],
  queryFn: ({ signal }) => everyPage(cursor => call('listSchedules', { query: { cursor, limit: 100 } }, { signal })),
  refetchInterval: pollMs,
})

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', 'one', id],
    queryFn: ({ signal }) => call('getSchedule', { params: { schedule_id: id } }, { signal }),
    refetchInterval: pollMs,
  })

/** The newest first. */
export const occurrencesQuery = (id: string) =>
  infiniteQueryOptions({
    ...pagedQuery(['schedules', 'occurrences', id], (cursor, signal) =>
      call('listScheduleOccurrences', { params: { schedule_id: id }, query: { cursor, limit: 100 } }, { signal }),
    ),
    refetchInterval: pollMs,
  })

/** What a schedule begins from: the terms of a quote that was run. */
export const sourceQuery = (quoteId: string) =>
  queryOptions({
    queryKey: ['schedules', 'source', quoteId],
    queryFn: ({ signal }) => call('getQuote', { params: { quote_id: quoteId } }, { signal }),
  })

export const useCreateSchedule = () =>
  useCreation('new-schedule', (body: NewSchedule, headers) => call('createSchedule', { body, headers }), ['schedules'])

export function useChangeSchedule(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ScheduleChanges) => call('changeSchedule', { params: { schedule_id: id }, body }),
    onSettled: () => void client.invalidateQueries({ queryKey: ['schedules'] }),
  })
}
