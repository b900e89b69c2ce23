// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DollarField } from '../../../../../src/renderer/ui/forms/dollar-field.tsx'
import type { DollarRules } from '../../../../../src/renderer/ui/forms/dollars.ts'

function Form({ rules, error }: { readonly rules?: DollarRules; readonly error?: string }) {
  const [typed, setTyped] = useState('')
  return (
    <MantineProvider>
      <DollarField label="Limit" value={typed} onChange={setTyped} {...(rules && { rules })} error={error} />
    </MantineProvider>
  )
}

const field = (): HTMLElement => screen.getByRole('textbox', { name: 'Limit' })
const type = (value: string): void => void fireEvent.change(field(), { target: { value } })
/** What a screen reader is told with the field. */
const told = (): string => {
  const ids = field().getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map(id => document.getElementById(id)?.textContent ?? '').join(' ')
}

describe('a field of dollars', () => {
  beforeAll(() => {
    // jsdom has no media queries, which Mantine asks for the color scheme.
    window.matchMedia = query =>
      Object.assign(new EventTarget(), { matches: false, media: query, onchange: null, addListener: () => {}, removeListener: () => {} })
  })
  afterEach(cleanup)

  test('says nothing of an amount that is not typed yet or not finished', () => {
    render(<Form />)
    expect(told()).toBe('')
    type('$')
    expect(told()).toBe('')
    type('$1,234.50')
    expect(told()).toBe('')
    expect(field().getAttribute('aria-invalid')).not.toBe('true')
  })

  test('says that it is required, unless it can be left empty', () => {
    render(<Form />)
    expect(field().getAttribute('aria-required')).toBe('true')
    cleanup()
    render(<Form rules={{ empty: 'Not known' }} />)
    expect(field().getAttribute('aria-required')).not.toBe('true')
  })

  test('says at once what is wrong, and that a cleared field is required', () => {
    render(<Form />)
    type('-5')
    expect(told()).toBe('Enter 0 or more: an amount can’t be negative')
    expect(field().getAttribute('aria-invalid')).toBe('true')
    type('')
    expect(told()).toContain('Enter an amount in dollars')
  })

  test('shows what an empty field means, and lets it be cleared', () => {
    render(<Form rules={{ empty: 'No limit' }} />)
    expect(field().getAttribute('placeholder')).toBe('No limit')
    type('5')
    type('')
    expect(told()).toBe('')
  })

  test('shows the service’s refusal of an amount that reads well', () => {
    render(<Form error="Above the wallet’s balance" />)
    expect(told()).toBe('Above the wallet’s balance')
    type('x')
    expect(told()).toContain('is not an amount')
  })
})
