import { Button } from '@mantine/core'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import { useCheckConnection, useUpdateConnection } from './models.queries.ts'

/** The base URL at which the check found the endpoint, used with one click. */
export function ProposedAddress({ connection, onUse }: { readonly connection: Connection; readonly onUse?: (address: string) => void }) {
  const update = useUpdateConnection()
  const check = useCheckConnection()
  const address = connection.last_check?.proposed_base_url ?? null
  if (address === null) return null
  const use = async (): Promise<void> => {
    if (onUse) return onUse(address)
    await update.mutateAsync({ id: connection.id, body: { base_url: address } })
    await check.mutateAsync(connection.id)
  }
  return (
    <div>
      <Button size="xs" loading={update.isPending || check.isPending} onClick={() => void use().catch(() => undefined)}>
        {`Use ${address}`}
      </Button>
    </div>
  )
}
