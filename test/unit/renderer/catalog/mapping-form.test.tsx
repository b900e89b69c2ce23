// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Mapping } from '../../../../src/renderer/catalog/import-form.ts'
import { MappingForm } from '../../../../src/renderer/catalog/mapping-form.tsx'

beforeAll(() => {
  // jsdom has neither media queries nor sizes, which Mantine asks for.
  window.matchMedia = query =>
    Object.assign(new EventTarget(), { matches: false, media: query, onchange: null, addListener: () => {}, removeListener: () => {} })
  window.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
})
afterEach(cleanup)

function formOf(missing: 'target' | null, onChange: (change: Mapping) => void = () => undefined) {
  return (
    <MantineProvider>
      <MappingForm
        columns={['asked', 'level']}
        samples={['How much is 1 + 1?', 'easy']}
        fields={['input', 'target']}
        mapping={{ input: 'asked' }}
        answerKey={null}
        splits={[]}
        missing={missing}
        onChange={onChange}
      />
    </MantineProvider>
  )
}

const markupOf = (missing: 'target' | null): string => renderToStaticMarkup(formOf(missing))

test('a table without a known column of answers asks for one, or for none', () => {
  expect(markupOf('target')).toContain('No reference answers')
  expect(markupOf('target')).toContain('Required')
  expect(markupOf(null)).not.toContain('No reference answers')
})

test('a click says that there are no reference answers', () => {
  const changes: Mapping[] = []
  render(formOf('target', change => changes.push(change)))
  fireEvent.click(screen.getByRole('button', { name: 'No reference answers' }))
  expect(changes).toEqual([{ target: null }])
})

test('the first value of each column is beside the fields, which come first', () => {
  render(formOf(null))
  const samples = screen.getByRole('region', { name: 'Columns of the file' })
  expect([...(samples.parentElement?.children ?? [])].at(-1)).toBe(samples)
  expect(within(samples).getByRole('row', { name: /asked.*How much is 1 \+ 1\?/ })).toBeTruthy()
  const fields = screen.getByRole('combobox', { name: /Question/ })
  expect(fields.compareDocumentPosition(samples) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  expect(samples.parentElement?.contains(fields)).toBe(true)
})
