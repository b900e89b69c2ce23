import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

interface KeptDraft<Draft> {
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
  /** Call when it was sent: the next form begins anew. */
  readonly forget: () => void
}

/**
 * What is typed into a form, kept while other pages are open. It belongs to the workspace, whose cache it lies in, and ends with the tab.
 * @param form unique in the app, e.g. `new-decision`
 */
export function useKeptDraft<Draft extends object>(form: string, initial: Draft): KeptDraft<Draft> {
  const client = useQueryClient()
  const key = ['drafts', form]
  const [draft, setDraft] = useState(() => client.getQueryData<Draft>(key) ?? initial)
  return {
    draft,
    change: part =>
      setDraft(before => {
        const next = { ...before, ...part }
        client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY })
        client.setQueryData<Draft>(key, next)
        return next
      }),
    forget: () => client.removeQueries({ queryKey: key }),
  }
}
