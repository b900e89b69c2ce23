import { Autocomplete, Button, Popover } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../lib/message-of.ts'

interface Action {
  readonly label: string
  readonly run: (name: string) => Promise<unknown>
  /** Also without a name. */
  readonly isNameless?: boolean
}

interface NamePopoverProps {
  readonly children: ReactNode
  readonly label: string
  readonly placeholder: string
  readonly maxLength: number
  /** Names in use. */
  readonly known: readonly string[]
  readonly onOpen: () => void
  readonly onType?: (typed: string) => void
  readonly submit: Action
  readonly other: Action
}

/** A button that asks for one name, known or new, and offers two things to do with it. */
export function NamePopover({ children, label, placeholder, maxLength, known, onOpen, onType, submit, other }: NamePopoverProps) {
  const [opened, setOpened] = useState(false)
  const [typed, setTyped] = useState('')
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null })
  const name = typed.trim()
  const open = (isOpen: boolean): void => {
    if (isOpen) onOpen()
    setOpened(isOpen)
  }
  const perform = async ({ run }: Action): Promise<void> => {
    setState({ busy: true, error: null })
    try {
      await run(name)
      setState({ busy: false, error: null })
      setOpened(false)
    } catch (error) {
      setState({ busy: false, error: messageOf(error) })
    }
  }
  return (
    <Popover opened={opened} onChange={open} trapFocus withinPortal shadow="md" position="bottom-start">
      <Popover.Target>
        <Button variant="default" onClick={() => open(!opened)}>
          {children}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          className="stack"
          onSubmit={event => {
            event.preventDefault()
            if (name !== '') void perform(submit)
          }}
        >
          <Autocomplete
            label={label}
            placeholder={placeholder}
            maxLength={maxLength}
            data-autofocus
            // Below it are the buttons.
            comboboxProps={{ withinPortal: false, position: 'right-start' }}
            data={[...known]}
            value={typed}
            onChange={text => {
              setTyped(text)
              onType?.(text)
            }}
            error={state.error}
          />
          <div className="row">
            <Button type="submit" loading={state.busy} disabled={name === ''}>
              {submit.label}
            </Button>
            <Button
              variant="subtle"
              color="gray"
              disabled={state.busy || (name === '' && !other.isNameless)}
              onClick={() => void perform(other)}
            >
              {other.label}
            </Button>
          </div>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
