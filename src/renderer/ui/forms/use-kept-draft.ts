import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

interface KeptDraft<Draft> {
  readonly draft: Draft
  readonly change: (part: Partial<Draft> | ((before: Draft) => Partial<Draft>)) => void
  /** Call when it was sent: the next form begins anew. */
  readonly forget: () => void
}

/**
 * What is typed into a form, kept while other pages are open. It belongs to the workspace, whose cache it lies in, and ends with the tab.
 * @param form unique in the app, e.g. `new-decision`
 * @param named what the address names, whatever was kept
 */
export function useKeptDraft<Draft extends object>(form: string, initial: Draft, named: Partial<Draft> = {}): KeptDraft<Draft> {
  const client = useQueryClient()
  const [draft, setDraft] = useState(() => ({ ...(client.getQueryData<Draft>(keyOf(form)) ?? initial), ...named }))
  useEffect(() => {
    client.setQueryDefaults(keyOf(form), { gcTime: Number.POSITIVE_INFINITY })
    client.setQueryData<Draft>(keyOf(form), draft)
  }, [client, form, draft])
  return {
    draft,
    change: part => setDraft(before => ({ ...before, ...(typeof part === 'function' ? part(before) : part) })),
    forget: () => client.removeQueries({ queryKey: keyOf(form) }),
  }
}

const keyOf = (form: string) => ['drafts', form]
