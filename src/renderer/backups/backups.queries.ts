import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Backups, BackupScheduleBody } from '../../contract/backups/backups.schemas.ts'
import { useReplacement } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'

const key = ['settings', 'backups']

/** While one is made, its progress is polled at this interval, in milliseconds. */
const FOLLOW_MS = 300

export function useBackups() {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call('listBackups', {}, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isWorking(data) ? FOLLOW_MS : 60_000),
  })
}

export function useStartBackup() {
  const client = useQueryClient()
  const idempotency = useIdempotencyKey('backup')
  return useMutation({
    mutationFn: () => call('startBackup', { headers: idempotency.headersFor({}) }),
    onSuccess: backups => {
      idempotency.done()
      client.setQueryData(key, backups)
    },
  })
}

export const useSetSchedule = () => useReplacement(key, (body: BackupScheduleBody) => call('setBackupSchedule', { body }))

export const useCheckBackup = () => useReplacement(key, (name: string) => call('checkBackup', { params: { backup_name: name } }))

export const useRestoreBackup = () =>
  useReplacement(key, ({ name, withoutProof }: { readonly name: string; readonly withoutProof: boolean }) =>
    call('restoreBackup', { params: { backup_name: name }, query: { without_proof: withoutProof ? 'true' : 'false' } }),
  )

function isWorking({ running, checking, restore }: Backups): boolean {
  return running !== null || checking !== null || restore !== null
}
