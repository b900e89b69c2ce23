import './command-palette.css'
import { Modal } from '@mantine/core'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { IconSearch } from '../ui/pictures/icons.tsx'
import { findCommands, type PaletteEntry } from './find-commands.ts'
import { useNamedThings } from './palette.queries.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

interface CommandPaletteProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/** Every page and action, by Ctrl or Cmd and K. */
export function CommandPalette({ opened, onClose }: CommandPaletteProps) {
  return (
    // At once, without a transition: what is typed right after the shortcut belongs into the field.
    <Modal.Root opened={opened} onClose={onClose} size={560} transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label="Command palette">
        <PaletteContent onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  )
}

/** What is named like the query comes first; pages that only a keyword finds come last. */
function inOrder(query: string, pages: readonly PaletteEntry[], things: readonly PaletteEntry[]): readonly PaletteEntry[] {
  const wanted = query.trim().toLowerCase()
  const rank = ({ label }: PaletteEntry): number => (label.toLowerCase() === wanted ? 0 : label.toLowerCase().includes(wanted) ? 1 : 2)
  return [...pages, ...things].toSorted((a, b) => rank(a) - rank(b))
}

/** A combobox: focus stays in the field, and the chosen entry is named by `aria-activedescendant`. */
function PaletteContent({ onClose }: Pick<CommandPaletteProps, 'onClose'>) {
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  // Before the dialog's own focus trap, which waits a moment: the next key belongs here.
  useLayoutEffect(() => field.current?.focus(), [])
  const [query, setQuery] = useState('')
  const [moved, setMoved] = useState(0)
  const things = useNamedThings(query)
  const found = inOrder(query, findCommands(query), things)
  const active = Math.min(moved, found.length - 1)

  const go = (index: number): void => {
    const entry = found[index]
    if (!entry) return
    onClose()
    void navigate(entry.to)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && found.length > 0) {
      event.preventDefault()
      setMoved((active + step + found.length) % found.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(active)
    }
  }

  return (
    <>
      <div className="palette-field">
        <IconSearch size={16} aria-hidden />
        <input
          ref={field}
          data-autofocus
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls="palette-list"
          aria-activedescendant={active >= 0 ? `palette-${active}` : undefined}
          aria-autocomplete="list"
          aria-label="Search pages and actions"
          placeholder="Go to a page, run, model, benchmark or dataset"
          autoComplete="off"
          spellCheck={false}
          value={query}
          onKeyDown={onKeyDown}
          onChange={event => {
            setQuery(event.currentTarget.value)
            setMoved(0)
          }}
        />
      </div>
      {found.length === 0 ? <output className="palette-none quiet">Nothing has this name.</output> : null}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the list of a combobox; a select cannot stay open below a field */}
      <div className="palette-list" id="palette-list" role="listbox" aria-label="Pages and actions" hidden={found.length === 0}>
        {found.map(({ to, label, description, icon: Icon }, index) => (
          <button
            key={to}
            id={`palette-${index}`}
            type="button"
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an entry of that list
            role="option"
            tabIndex={-1}
            className="palette-entry"
            aria-selected={index === active}
            onClick={() => go(index)}
            onMouseMove={() => setMoved(index)}
          >
            <span className="palette-icon">{Icon ? <Icon size={16} aria-hidden /> : null}</span>
            <UntrustedText text={label} layout="prose" />
            <span className="quiet small">{description}</span>
          </button>
        ))}
      </div>
    </>
  )
}
