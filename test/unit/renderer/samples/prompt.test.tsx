// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '../../../../src/contract/messages/messages.schemas.ts'
import { Prompt } from '../../../../src/renderer/samples/prompt.tsx'
import { runFixture } from '../runs/fixtures.ts'

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const usual = runFixture()

function view(content: Message['content'], run = usual) {
  cleanup()
  const { container } = render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
      <MantineProvider>
        <Prompt messages={[{ role: 'user', content }]} run={run} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  return container.querySelector<HTMLDetailsElement>('.samples-fold')
}

test('folds the prompt of a benchmark to its first line, and keeps it open from sample to sample once it was opened', () => {
  const first = view('How much is 2 + 3?\nThink first.')
  expect(first?.open).toBe(false)
  expect(first?.querySelector('summary')?.textContent).toBe('Show all (p)How much is 2 + 3?')
  fireEvent.keyDown(document.body, { key: 'p' })
  expect(first?.open).toBe(true)
  const second = view('How much is 3 + 4?')
  expect(second?.open).toBe(true)
  fireEvent.keyDown(document.body, { key: 'p' })
  expect(view('How much is 4 + 5?')?.open).toBe(false)
})

test('leaves a prompt open that the run has changed, or that shows a picture', () => {
  const { execution } = usual
  expect(view('How much?', runFixture({ execution: { ...execution, system_prompt: '' } }))).toBeNull()
  expect(view('How much?', runFixture({ execution: { ...execution, prompt_template: 'Q: {question}' } }))).toBeNull()
  expect(
    view([
      { type: 'image', media: `sha256:${'ab'.repeat(32)}` },
      { type: 'text', text: 'What is it?' },
    ]),
  ).toBeNull()
})
