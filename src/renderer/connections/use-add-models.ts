import { useEffect, useRef, useState } from 'react'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import { messageOf } from '../../lib/message-of.ts'
import { useCheckConnection, useConnections, useCreateConnection } from './models.queries.ts'
import { connectionBody, type EndpointConnection, type OtherModel } from './other-models.ts'

interface FailedModel {
  readonly model: string
  readonly message: string
}

interface Steps {
  readonly create: (model: OtherModel) => Promise<Connection>
  readonly check: (connection: Connection) => Promise<Connection>
  readonly isStopped: () => boolean
  readonly onStart: (model: string) => void
  readonly onReady: (connectionId: string) => void
}

/** Makes each model ready in turn. After a stop nothing is checked, which may be billed, and nothing counts as ready. */
export async function addInTurn(models: readonly OtherModel[], steps: Steps): Promise<readonly FailedModel[]> {
  const failed: FailedModel[] = []
  for (const one of models) {
    if (steps.isStopped()) break
    steps.onStart(one.model)
    try {
      const made = one.connection ?? (await steps.create(one))
      if (steps.isStopped()) break
      const { id, status, last_check } = made.status === 'ready' ? made : await steps.check(made)
      if (steps.isStopped()) break
      if (status === 'ready') steps.onReady(id)
      else failed.push({ model: one.model, message: last_check?.message ?? 'The check failed.' })
    } catch (error) {
      failed.push({ model: one.model, message: messageOf(error) })
    }
  }
  return failed
}

/** Makes models of an endpoint ready one after the other: registers what has no connection yet, and checks what is not ready. */
export function useAddModels(of: EndpointConnection) {
  const create = useCreateConnection()
  const taken = (useConnections().data ?? []).map(({ name }) => name)
  const check = useCheckConnection()
  const [busyWith, setBusyWith] = useState<string | null>(null)
  const [failed, setFailed] = useState<readonly FailedModel[]>([])
  const [made, setMade] = useState<readonly string[]>([])
  const stopped = useRef(false)
  const stop = (): void => {
    stopped.current = true
  }
  useEffect(() => stop, [])

  const createLike = async (one: OtherModel): Promise<Connection> => {
    const connection = await create.mutateAsync(connectionBody(one, of, taken))
    setMade(before => [...before, connection.id])
    return connection
  }

  /** @param onReady called with each connection as soon as it can be used. Resolves to whether all can. */
  const add = async (models: readonly OtherModel[], onReady: (id: string) => void): Promise<boolean> => {
    stopped.current = false
    setFailed([])
    const failures = await addInTurn(models, {
      create: createLike,
      check: ({ id }) => check.mutateAsync(id),
      isStopped: () => stopped.current,
      onStart: setBusyWith,
      onReady,
    })
    setBusyWith(null)
    setFailed(failures)
    return failures.length === 0 && !stopped.current
  }
  return { add, stop, busyWith, failed, made }
}
