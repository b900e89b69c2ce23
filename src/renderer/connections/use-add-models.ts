import { useEffect, useRef, useState } from 'react'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import { messageOf } from '../../lib/message-of.ts'
import { useCheckConnection, useCreateConnection } from './models.queries.ts'
import { connectionBody, type EndpointConnection, type OtherModel } from './other-models.ts'

export interface FailedModel {
  readonly model: string
  readonly message: string
}

/** Makes models of an endpoint ready one after the other: registers what has no connection yet, and checks what is not ready. */
export function useAddModels(of: EndpointConnection) {
  const create = useCreateConnection()
  const check = useCheckConnection()
  const [busyWith, setBusyWith] = useState<string | null>(null)
  const [failed, setFailed] = useState<readonly FailedModel[]>([])
  const stopped = useRef(false)
  const stop = (): void => {
    stopped.current = true
  }
  useEffect(() => stop, [])

  const makeReady = async (one: OtherModel): Promise<Connection> => {
    const connection = one.connection ?? (await create.mutateAsync(connectionBody(one, of)))
    return connection.status === 'ready' ? connection : check.mutateAsync(connection.id)
  }

  /** @param onReady called with each connection as soon as it can be used. Resolves to whether all can. */
  const add = async (models: readonly OtherModel[], onReady: (id: string) => void): Promise<boolean> => {
    const failures: FailedModel[] = []
    stopped.current = false
    setFailed(failures)
    for (const one of models) {
      if (stopped.current) break
      setBusyWith(one.model)
      try {
        const { id, status, last_check } = await makeReady(one)
        if (status === 'ready') onReady(id)
        else failures.push({ model: one.model, message: last_check?.message ?? 'The check failed.' })
      } catch (error) {
        failures.push({ model: one.model, message: messageOf(error) })
      }
    }
    setBusyWith(null)
    setFailed(failures)
    return failures.length === 0
  }
  return { add, stop, busyWith, failed }
}
