import type { backupsEndpoints } from '../../contract/backups/backups.endpoints.ts'
import { demandRole } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import type { BackupService } from './backups.service.ts'

export function backupsHandlers(backups: BackupService): Handlers<typeof backupsEndpoints> {
  return {
    listBackups: () => backups.read(),
    startBackup: () => {
      backups.begin('manual')
      return backups.read()
    },
    setBackupSchedule: ({ principal, workspace }, { body }) => {
      demandRole(principal, workspace, ['owner', 'admin'], 'change how often backups are made')
      backups.setSchedule(body)
      return backups.read()
    },
  }
}
