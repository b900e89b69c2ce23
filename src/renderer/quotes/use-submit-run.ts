import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { runQuery } from '../runs/runs.queries.ts'
import { beginSubmission, finishSubmission, forgetSubmission, isRefusal, readSubmission } from './submission.ts'

/**
 * Submits a quote once, whatever is clicked, reloaded or lost on the way: see `submission.ts`.
 * @param onSubmitted called also when the page was left meanwhile
 */
export function useSubmitRun(quoteId: string, onSubmitted?: () => void) {
  const client = useQueryClient()
  const [submission, setSubmission] = useState(() => readSubmission(quoteId))
  const mutation = useMutation({
    mutationFn: (name: string) => {
      const begun = beginSubmission(quoteId, name)
      setSubmission(begun)
      return call('submitRun', { body: { quote_id: quoteId, name: begun.name }, headers: { 'idempotency-key': begun.key } })
    },
    onSuccess: ({ run_id: runId, run }) => {
      const begun = readSubmission(quoteId)
      if (begun) finishSubmission(quoteId, begun, runId)
      onSubmitted?.()
      client.setQueryData(runQuery(runId).queryKey, run)
      void client.invalidateQueries({ queryKey: ['runs', 'list'] })
    },
    onError: error => {
      if (!isRefusal(error)) return
      forgetSubmission(quoteId)
      setSubmission(null)
    },
  })
  return { submission, mutation }
}
