import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { raisableCaps } from './raisable-caps.ts'
import { RaiseCapDialog } from './raise-cap-dialog.tsx'

/** A button for the cap of a run; nothing where there is none to raise. */
export function RaiseCap({ run }: { readonly run: Run }) {
  const [opened, setOpened] = useState(false)
  const [cap] = raisableCaps(run)
  if (!cap) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Raise the limit
      </Button>
      <RaiseCapDialog run={run} cap={cap} opened={opened} onClose={() => setOpened(false)} />
    </>
  )
}
