import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { forgetDraft } from '../ui/forms/use-kept-draft.ts'

/** Under which the form of New run is kept while other pages are open. */
export const newRun = 'new-run'

/** What a link to a quote carries that the form of New run asked for. */
export const fromNewRun = { form: newRun }

/** Forgets the form of New run where the quote on the page came from it. */
export function useForgetNewRun(): () => void {
  const client = useQueryClient()
  const state: unknown = useLocation().state
  const isFromForm = typeof state === 'object' && state !== null && 'form' in state && state.form === newRun
  return () => forgetDraft(client, isFromForm ? newRun : null)
}
