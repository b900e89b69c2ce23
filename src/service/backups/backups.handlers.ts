import type { backupsEndpoints } from '../../contract/backups/backups.endpoints.ts'
import { jobOwner } from '../jobs/index.ts'
import type { Handlers } from '../http/handler.ts'
import type { InstallationService } from '../installation/index.ts'
import type { BackupService } from './backups.service.ts'

export function backupsHandlers(backups: BackupService, installation: InstallationService): Handlers<typeof backupsEndpoints> {
  return {
    listBackups: () => backups.read(),
    startBackup: ({ principal }) => {
      installation.requireOwner(principal, 'make a backup', { allowLocalKey: true })
      backups.begin('manual', jobOwner(principal))
      return backups.read()
    },
    checkBackup: ({ principal }, { params }) => {
      installation.requireOwner(principal, 'check a backup', { allowLocalKey: true })
      backups.check(params.backup_name, jobOwner(principal))
      return backups.read()
    },
    restoreBackup: ({ principal }, { params, query }) => {
      installation.requireOwner(principal, 'restore a backup')
      backups.restore(params.backup_name, query.without_proof === 'true', jobOwner(principal))
      return backups.read()
    },
    setBackupSchedule: ({ principal }, { body }) => {
      installation.requireOwner(principal, 'change how often backups are made')
      backups.setSchedule(body)
      return backups.read()
    },
  }
}
