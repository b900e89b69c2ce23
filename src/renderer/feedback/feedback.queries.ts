import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FeedbackBody, FeedbackTriageBody } from '../../contract/feedback/feedback.schemas.ts'
import type { FeedbackStatus } from '../../contract/feedback/feedback.machine.ts'
import { useCreation } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

const one = (id: string) => ['feedback', 'one', id]

export function useReports(status: FeedbackStatus | undefined) {
  return useInfiniteQuery(
    pagedQuery(['feedback', 'list', status], (cursor, signal) =>
      call('listFeedback', { query: { status, cursor, limit: 100 } }, { signal }),
    ),
  )
}

export function useReport(id: string) {
  return useQuery({
    queryKey: one(id),
    queryFn: ({ signal }) => call('getFeedback', { params: { feedback_id: id } }, { signal }),
  })
}

export const useSendReport = () =>
  useCreation('new-report', (body: FeedbackBody, headers) => call('sendFeedback', { body, headers }), ['feedback'])

export function useTriage(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: FeedbackTriageBody) => call('triageFeedback', { params: { feedback_id: id }, body }),
    onSuccess: report => {
      client.setQueryData(one(id), report)
      void client.invalidateQueries({ queryKey: ['feedback', 'list'] })
    },
  })
}
