import { Button } from '@mantine/core'
import { useState } from 'react'
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
        <Button variant="default" size="xs" disabled={dialog.room === 0} onClick={open}>
          Models of this endpoint
        </Button>
      </div>
      {opened ? <AddModelsDialog of={of} listing={listing} onRetry={list} {...dialog} onClose={() => setOpened(false)} /> : null}
    </>
  )
}
