import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

interface KeptDraft<Draft> {
  readonly draft: Draft
  /** Whether it began with what was left unfinished. */
  readonly isKept: boolean
  readonly change: (part: Partial<Draft> | ((before: Draft) => Partial<Draft>)) => void
  /** Call when it was sent: the next form begins anew. */
  readonly forget: () => void
}

interface Beginning<Draft> {
  /** What the address names, whatever was kept. */
  readonly named?: Partial<Draft> | undefined
  /** Whether the form may go on from what was kept; without it, always. */
  readonly fits?: (kept: Draft) => boolean
}

/**
 * What is typed into a form, kept while other pages are open. It belongs to the workspace, whose cache it lies in, and ends with the tab.
 * @param form unique in the app, e.g. `new-decision`; null: nothing is kept
 */
export function useKeptDraft<Draft extends object>(
  form: string | null,
  initial: Draft,
  { named = {}, fits = () => true }: Beginning<Draft> = {},
): KeptDraft<Draft> {
  const client = useQueryClient()
  const [begun] = useState(() => {
    const kept = form === null ? undefined : client.getQueryData<Draft>(keyOf(form))
    const goesOn = kept !== undefined && fits(kept)
    const draft = { ...(goesOn ? kept : initial), ...named }
    return { draft, isKept: goesOn && JSON.stringify(draft) !== JSON.stringify({ ...initial, ...named }) }
  })
  const [draft, setDraft] = useState(begun.draft)
  const isTouched = draft !== begun.draft || Object.keys(named).length > 0
  useEffect(() => {
    if (form === null || !isTouched) return
    client.setQueryDefaults(keyOf(form), { gcTime: Number.POSITIVE_INFINITY })
    client.setQueryData<Draft>(keyOf(form), draft)
  }, [client, form, draft, isTouched])
  return {
    draft,
    isKept: begun.isKept,
    change: part => setDraft(before => ({ ...before, ...(typeof part === 'function' ? part(before) : part) })),
    forget: () => forgetDraft(client, form),
  }
}

/** For a form that is sent from another page. */
export function forgetDraft(client: QueryClient, form: string | null): void {
  if (form !== null) client.removeQueries({ queryKey: keyOf(form) })
}

const keyOf = (form: string) => ['drafts', form]
