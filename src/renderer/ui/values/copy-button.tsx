import { ActionIcon, CopyButton as MantineCopy, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '../pictures/icons.tsx'

/** @param what What is copied, for the button's name: "Copy run id". */
export function CopyButton({ value, what }: { readonly value: string; readonly what: string }) {
  return (
    <MantineCopy value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon variant="subtle" color="gray" size={24} onClick={copy} aria-label={copied ? `Copied ${what}` : `Copy ${what}`}>
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </MantineCopy>
  )
}

/** An id or digest: its beginning in mono, the whole of it to copy and on hover. */
export function Identifier({ value, what, shown = 8 }: { readonly value: string; readonly what: string; readonly shown?: number }) {
  return (
    <span className="row" style={{ gap: 2, flexWrap: 'nowrap', display: 'inline-flex' }}>
      <span className="mono" title={value}>
        {value.length > shown ? `${value.slice(0, shown)}…` : value}
      </span>
      <CopyButton value={value} what={what} />
    </span>
  )
}
