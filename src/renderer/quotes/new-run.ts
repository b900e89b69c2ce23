import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { forgetDraft } from '../ui/forms/use-kept-draft.ts'

/** Under which the forms of New run are kept while other pages are open. */
export const newRun = 'new-run'

/** What a link to a quote carries of the form that asked for it. */
export interface FromForm {
  readonly form: string
  readonly draft: string
}

/** Forgets the form that asked for the quote on the page. */
export function useForgetForm(): () => void {
  const client = useQueryClient()
  const state: unknown = useLocation().state
  return () => {
    if (isFromForm(state)) forgetDraft(client, state.form, state.draft)
  }
}

function isFromForm(state: unknown): state is FromForm {
  if (typeof state !== 'object' || state === null) return false
  const { form, draft }: Partial<Record<keyof FromForm, unknown>> = state
  return typeof form === 'string' && typeof draft === 'string'
}
