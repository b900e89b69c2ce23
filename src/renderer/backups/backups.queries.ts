import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Backups, BackupScheduleBody } from '../../contract/backups/backups.schemas.ts'
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

export function useSetSchedule() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BackupScheduleBody) => call('setBackupSchedule', { body }),
    onSuccess: backups => client.setQueryData(key, backups),
  })
}

export function useCheckBackup() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => call('checkBackup', { params: { backup_name: name } }),
    onSuccess: backups => client.setQueryData(key, backups),
  })
}

export function useRestoreBackup() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ name, withoutProof }: { readonly name: string; readonly withoutProof: boolean }) =>
      call('restoreBackup', { params: { backup_name: name }, query: { without_proof: withoutProof ? 'true' : 'false' } }),
    onSuccess: backups => client.setQueryData(key, backups),
  })
}

function isWorking({ running, checking, restore }: Backups): boolean {
  return running !== null || checking !== null || restore !== null
}
