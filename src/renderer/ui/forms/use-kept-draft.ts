import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

interface KeptDraft<Draft> {
  /** Tells it from the others of the form. */
  readonly id: string
  readonly draft: Draft
  /** How it began, until that is of no matter: with what was left unfinished, or cleared. */
  readonly origin: 'kept' | 'cleared' | null
  readonly change: (part: Partial<Draft> | ((before: Draft) => Partial<Draft>)) => void
  /** Starts over with what the address names; `undo` works until the next change. */
  readonly startOver: () => void
  readonly undo: () => void
  /** Call when it was sent: the next form begins anew. */
  readonly forget: () => void
}

interface Beginning<Draft> {
  /** What the address names, whatever was kept. */
  readonly named?: Partial<Draft> | undefined
  /** Whether the form may go on from a draft that was kept; without it, always. */
  readonly fits?: (kept: Draft) => boolean
}

interface Entry<Draft> {
  readonly id: string
  readonly draft: Draft
  /** False for what only an address named: nobody left it unfinished, but the next address may add to it. */
  readonly isChanged: boolean
}

/** Drafts of one form. */
const mostKept = 20

/**
 * What is typed into a form, kept while other pages are open. A draft that does not fit is left alone, and the newest that fits goes on.
 * They belong to the workspace, whose cache they lie in, and end with the tab.
 * @param form unique in the app, e.g. `new-decision`
 */
export function useKeptDraft<Draft extends object>(
  form: string,
  initial: Draft,
  { named = {}, fits = () => true }: Beginning<Draft> = {},
): KeptDraft<Draft> {
  const client = useQueryClient()
  const empty = { ...initial, ...named }
  const [begun] = useState(() => {
    const isNamed = Object.keys(named).length > 0
    const kept = client.getQueryData<readonly Entry<Draft>[]>(keyOf(form)) ?? []
    const entry = kept.find(({ draft, isChanged }) => (isChanged || isNamed) && fits(draft))
    const draft = { ...(entry?.draft ?? initial), ...named }
    return { id: entry?.id ?? crypto.randomUUID(), draft, isNamed, wasChanged: entry?.isChanged ?? false }
  })
  const { id, isNamed, wasChanged } = begun
  const [draft, setDraft] = useState(begun.draft)
  const [cleared, setCleared] = useState<Draft | null>(null)
  const [isKept, setKept] = useState(wasChanged && JSON.stringify(draft) !== JSON.stringify(empty))
  const isChanged = wasChanged || draft !== begun.draft
  useEffect(() => {
    if (!isChanged && !isNamed) return
    client.setQueryDefaults(keyOf(form), { gcTime: Number.POSITIVE_INFINITY })
    client.setQueryData<readonly Entry<Draft>[]>(keyOf(form), (kept = []) =>
      [{ id, draft, isChanged }, ...kept.filter(one => one.id !== id)].slice(0, mostKept),
    )
  }, [client, form, id, draft, isChanged, isNamed])
  return {
    id,
    draft,
    origin: cleared ? 'cleared' : isKept ? 'kept' : null,
    change: part => {
      setCleared(null)
      setDraft(before => ({ ...before, ...(typeof part === 'function' ? part(before) : part) }))
    },
    startOver: () => {
      setKept(false)
      setCleared(draft)
      setDraft(empty)
    },
    undo: () => {
      if (!cleared) return
      setKept(true)
      setCleared(null)
      setDraft(cleared)
    },
    forget: () => forgetDraft(client, form, id),
  }
}

/** For a form that is sent from another page. */
export function forgetDraft(client: QueryClient, form: string, id: string): void {
  client.setQueryData<readonly Entry<unknown>[]>(keyOf(form), kept => kept?.filter(one => one.id !== id))
}

const keyOf = (form: string) => ['drafts', form]
