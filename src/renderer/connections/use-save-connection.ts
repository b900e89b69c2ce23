import { useState } from 'react'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import { type ConnectionForm, type FormErrors, readNew, readUpdate, refusedFields } from './connection-form.ts'
import { useCheckConnection, useCreateConnection, useUpdateConnection } from './models.queries.ts'

/**
 * Saving and then checking: registers at the first save, changes what was registered at the next ones.
 * @param like what a new connection is a copy of
 */
export function useSaveConnection(stored: Connection | null, like: Connection | null) {
  const [saved, setSaved] = useState(stored)
  const [errors, setErrors] = useState<FormErrors>({})
  /** Fields that were changed since they were refused. */
  const [corrected, setCorrected] = useState<readonly string[]>([])
  const create = useCreateConnection()
  const update = useUpdateConnection()
  const check = useCheckConnection()

  const save = async (form: ConnectionForm): Promise<Connection | null> => {
    if (saved) {
      const read = readUpdate(form)
      setErrors('errors' in read ? read.errors : {})
      return 'errors' in read ? null : update.mutateAsync({ id: saved.id, body: read.body })
    }
    const read = readNew(form, like)
    setErrors('errors' in read ? read.errors : {})
    return 'errors' in read ? null : create.mutateAsync(read.body)
  }

  /** @param onSaved Called as soon as it is saved, before the check. */
  const submit = async (form: ConnectionForm, onSaved: (connection: Connection) => void): Promise<void> => {
    setCorrected([])
    try {
      const connection = await save(form)
      if (!connection) return
      setSaved(connection)
      onSaved(connection)
      setSaved(await check.mutateAsync(connection.id))
    } catch {
      // Each mutation keeps its error, which the page shows.
    }
  }

  const error = create.error ?? update.error ?? check.error
  const refused = refusedFields(error)
  return {
    saved,
    errors: Object.fromEntries(Object.entries({ ...refused, ...errors }).filter(([field]) => !corrected.includes(field))),
    correct: (fields: readonly string[]) => setCorrected(before => [...before, ...fields]),
    submit,
    busy: create.isPending || update.isPending || check.isPending,
    checking: check.isPending,
    /** What no field of the form can show. */
    error: Object.keys(refused).length > 0 ? null : error,
  }
}
