import { useState } from 'react'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { AddModelsDialog } from './add-models-dialog.tsx'
import { useConnections, useEndpointModels } from './models.queries.ts'
import { isEndpoint } from './other-models.ts'

interface AddModelsButtonProps {
  readonly connectionId: string
  readonly chosen: readonly string[]
  readonly room: number
  readonly onReady: (connectionId: string) => void
}

/** Opens the models that the endpoint of a connection lists; nothing where it is an agent. */
export function AddModelsButton({ connectionId, ...dialog }: AddModelsButtonProps) {
  const [opened, setOpened] = useState(false)
  const of = useConnections().data?.find(({ id }) => id === connectionId)
  const listing = useEndpointModels()
  if (!of || !isEndpoint(of)) return null
  const list = (): void => listing.mutate({ protocol: of.protocol, base_url: of.base_url, headers: {}, connection_id: of.id })
  const open = (): void => {
    setOpened(true)
    list()
  }
  return (
    <>
      <div>
        <ReasonedButton variant="default" size="xs" blocked={dialog.room === 0 ? 'A run compares at most ten models' : null} onClick={open}>
          Models of this endpoint
        </ReasonedButton>
      </div>
      {opened ? <AddModelsDialog of={of} listing={listing} onRetry={list} {...dialog} onClose={() => setOpened(false)} /> : null}
    </>
  )
}
