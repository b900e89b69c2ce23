// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forgetDraft, useKeptDraft } from '../../../../../src/renderer/ui/forms/use-kept-draft.ts'

interface Draft {
  readonly profile: string
  readonly model: string
  readonly prompt: string
}

const empty: Draft = { profile: '', model: '', prompt: '' }
let client: QueryClient
beforeEach(() => {
  client = new QueryClient()
})
afterEach(cleanup)

/** The form as a person opens it by an address that names this. */
function opened(named: Partial<Draft> = {}) {
  const fits = ({ profile }: Draft) => named.profile === undefined || named.profile === profile
  const { result } = renderHook(() => useKeptDraft('form', empty, { named, fits }), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  const doing = (what: (form: typeof result.current) => void) => act(() => what(result.current))
  return { form: () => result.current, doing }
}

test('a link to another benchmark leaves an unfinished form as it is', () => {
  opened({ profile: 'a' }).doing(({ change }) => change({ prompt: 'twenty lines' }))
  expect(opened({ profile: 'b' }).form()).toMatchObject({ draft: { profile: 'b', prompt: '' }, origin: null })
  expect(opened().form()).toMatchObject({ draft: { profile: 'a', prompt: 'twenty lines' }, origin: 'kept' })
  opened({ profile: 'b' }).doing(({ change }) => change({ prompt: 'one line' }))
  expect(opened().form().draft).toMatchObject({ profile: 'b', prompt: 'one line' })
  expect(opened({ profile: 'a' }).form().draft.prompt).toBe('twenty lines')
})

test('what only an address named goes on where the next names a model, without a notice', () => {
  opened({ profile: 'a' })
  expect(opened({ model: 'm' }).form()).toMatchObject({ draft: { profile: 'a', model: 'm' }, origin: null })
  expect(opened().form().draft).toEqual(empty)
})

test('a form that was sent is forgotten, the others are not', () => {
  opened({ profile: 'a' }).doing(({ change }) => change({ prompt: 'first' }))
  const second = opened({ profile: 'b' })
  second.doing(({ change }) => change({ prompt: 'second' }))
  second.doing(({ forget }) => forget())
  expect(opened().form().draft.prompt).toBe('first')
  forgetDraft(client, 'form', opened().form().id)
  expect(opened().form().draft).toEqual(empty)
})

test('starting over can be undone until something is changed', () => {
  opened().doing(({ change }) => change({ prompt: 'old' }))
  const again = opened()
  again.doing(({ startOver }) => startOver())
  expect(again.form()).toMatchObject({ draft: empty, origin: 'cleared' })
  again.doing(({ undo }) => undo())
  expect(again.form()).toMatchObject({ draft: { prompt: 'old' }, origin: 'kept' })
  again.doing(({ startOver }) => startOver())
  again.doing(({ change }) => change({ prompt: 'new' }))
  expect(again.form().origin).toBeNull()
  again.doing(({ undo }) => undo())
  expect(again.form().draft.prompt).toBe('new')
})
