import { ActionIcon, Paper, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { IconChevronDown, IconChevronUp, IconX } from '../ui/pictures/icons.tsx'
import type { AssayBridge } from '../../preload/bridge.ts'

interface Found {
  readonly active: number
  readonly matches: number
}

/** Finds text in the page, in the desktop app. Enter moves on, Shift+Enter back, Escape closes. */
export function FindBar({
  desktop,
  onClose,
}: {
  readonly desktop: Pick<AssayBridge, 'findInPage' | 'stopFinding'>
  readonly onClose: () => void
}) {
  const [text, setText] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  // An answer to an earlier text may come after the one to a later.
  const newest = useRef(0)

  async function find(sought: string, forward: boolean, next: boolean): Promise<void> {
    newest.current += 1
    const mine = newest.current
    const answer = await desktop.findInPage(sought, forward, next)
    if (mine === newest.current) setFound(sought === '' ? null : answer)
  }

  function close(): void {
    void desktop.stopFinding()
    onClose()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && text !== '') void find(text, !event.shiftKey, true)
  }

  return (
    <Paper component="search" className="find-bar" aria-label="Find in page" shadow="md" withBorder>
      <TextInput
        aria-label="Find in page"
        placeholder="Find in page"
        size="xs"
        data-autofocus
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it is opened to be typed into
        autoFocus
        value={text}
        onChange={event => {
          setText(event.currentTarget.value)
          void find(event.currentTarget.value, true, false)
        }}
        onKeyDown={onKeyDown}
      />
      <Text size="xs" aria-live="polite" className="find-bar-count">
        {found === null ? '' : found.matches === 0 ? 'No matches' : `${found.active} of ${found.matches}`}
      </Text>
      <ActionIcon variant="subtle" aria-label="Previous match" disabled={!found?.matches} onClick={() => void find(text, false, true)}>
        <IconChevronUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="subtle" aria-label="Next match" disabled={!found?.matches} onClick={() => void find(text, true, true)}>
        <IconChevronDown size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="subtle" aria-label="Close" onClick={close}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Paper>
  )
}
