import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { TuneExport } from '../../contract/tuning/export.schemas.ts'
import type { NewTuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import type { NewTuneApproval, TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { call } from '../api/client.ts'
import { saveText } from '../api/download.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { sessionQuery } from './tuning.queries.ts'

/** Puts the session into its place and has every list of sessions read again. */
function useKeepSession() {
  const client = useQueryClient()
  return (session: TuneSession) => {
    client.setQueryData(sessionQuery(session.id).queryKey, session)
    void client.invalidateQueries({ queryKey: ['tuning', 'sessions'] })
  }
}

export const useApprove = (id: string) =>
  useMutation({
    mutationFn: (body: NewTuneApproval) => call('approveTuneSession', { params: { session_id: id }, body }),
    onSuccess: useKeepSession(),
  })

export const quoteQuery = (sessionId: string, quoteId: string) =>
  queryOptions({
    queryKey: ['tuning', 'quote', quoteId],
    queryFn: ({ signal }) => call('getTuneQuote', { params: { session_id: sessionId, quote_id: quoteId } }, { signal }),
  })

export function useQuote(id: string) {
  const client = useQueryClient()
  const key = useIdempotencyKey(`tune-quote-${id}`)
  return useMutation({
    mutationFn: (body: NewTuneQuote) => call('createTuneQuote', { params: { session_id: id }, body, headers: key.headersFor(body) }),
    onSuccess: quote => {
      key.done()
      client.setQueryData(quoteQuery(id, quote.id).queryKey, quote)
      return client.invalidateQueries({ queryKey: sessionQuery(id).queryKey })
    },
  })
}

export function useStart(id: string, quoteId: string) {
  const keep = useKeepSession()
  const key = useIdempotencyKey(`tune-start-${quoteId}`)
  return useMutation({
    mutationFn: () => {
      const body = { quote_id: quoteId }
      return call('startTuneGroup', { params: { session_id: id }, body, headers: key.headersFor(body) })
    },
    onSuccess: session => {
      key.done()
      keep(session)
    },
  })
}

export const useCancelSession = (id: string) =>
  useMutation({ mutationFn: () => call('cancelTuneSession', { params: { session_id: id } }), onSuccess: useKeepSession() })

export function useSaveExport({ id, name }: Pick<TuneSession, 'id' | 'name'>) {
  return useMutation({
    mutationFn: async (format: 'json' | 'html') => {
      const found: TuneExport = await call('exportTuneSession', { params: { session_id: id } })
      const file = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '') || 'session'
      return format === 'html'
        ? saveText(found.report_html, 'text/html', `${file}.html`)
        : saveText(JSON.stringify(found), 'application/json', `${file}.json`)
    },
  })
}
