import { formatCount } from '../../lib/format/numbers.ts'
import { Popover, UnstyledButton } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'

/** Between leaving the line and its scores disappearing, so that the pointer can move onto them. */
const LEAVE_MS = 150

/** One line for several scores. What each is a score of, with its interval, shows on hover, on focus and on a tap. */
export function SeveralScores({ more, children }: { readonly more: number; readonly children: ReactNode }) {
  const [pointed, setPointed] = useState(false)
  const [pinned, setPinned] = useState(false)
  const leaving = useRef<number>(undefined)
  const enter = (): void => {
    window.clearTimeout(leaving.current)
    setPointed(true)
  }
  const leave = (): void => {
    window.clearTimeout(leaving.current)
    leaving.current = window.setTimeout(() => setPointed(false), LEAVE_MS)
  }
  const close = (): void => {
    setPointed(false)
    setPinned(false)
  }
  return (
    <Popover opened={pointed || pinned} onDismiss={close} position="bottom-start" shadow="md" width="max-content">
      <Popover.Target>
        <UnstyledButton
          className="runs-several num"
          aria-label={`+${formatCount(more)} more ${more === 1 ? 'score' : 'scores'}`}
          onClick={() => setPinned(before => !before)}
          onFocus={enter}
          onBlur={close}
          onMouseEnter={enter}
          onMouseLeave={leave}
          onKeyDown={event => {
            if (event.key === 'Escape') close()
          }}
        >
          +{formatCount(more)}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown maw={480} onMouseEnter={enter} onMouseLeave={leave}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
