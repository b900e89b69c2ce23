import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Run } from '../../contract/index.ts'
import { canAskAgain } from '../runs/follow-up.ts'
import { AskAgainDialog } from './ask-again-dialog.tsx'

/** A button for one sample of a run that has ended; nothing while the run, or a part of it, works. */
export function AskThisAgain({ run, sampleId }: { readonly run: Run; readonly sampleId: string }) {
  const [asking, setAsking] = useState(false)
  if (!canAskAgain(run)) return null
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Ask again
      </Button>
      <AskAgainDialog run={run} ids={asking ? [sampleId] : null} onClose={() => setAsking(false)} />
    </>
  )
}
