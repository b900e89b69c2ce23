import { NumberInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { formatCount } from '../../lib/format/numbers.ts'

interface GoToRowProps {
  readonly total: number
  /** Index of the row, from 0. */
  readonly onGo: (index: number) => void
}

/** Any row of the list by its number. */
export function GoToRow({ total, onGo }: GoToRowProps) {
  const [typed, setTyped] = useState<string | number>('')
  const go = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || typeof typed !== 'number') return
    event.preventDefault()
    onGo(Math.max(0, Math.min(total, typed) - 1))
  }
  return (
    <NumberInput
      aria-label={`Go to row, 1 to ${formatCount(total)}`}
      placeholder="Go to row"
      w={96}
      min={1}
      allowDecimal={false}
      hideControls
      value={typed}
      onChange={setTyped}
      onKeyDown={go}
    />
  )
}
