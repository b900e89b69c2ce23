import { ApiError } from '../../contract/index.ts'
import type { backupsEndpoints } from '../../contract/backups/backups.endpoints.ts'
import { demandRole } from '../auth/index.ts'
import { jobOwner } from '../jobs/index.ts'
import type { Handlers } from '../http/handler.ts'
import type { BackupService } from './backups.service.ts'

/** @param owner the person whom this machine belongs to */
export function backupsHandlers(backups: BackupService, owner: string): Handlers<typeof backupsEndpoints> {
  return {
    listBackups: () => backups.read(),
    startBackup: ({ principal }) => {
      backups.begin('manual', jobOwner(principal))
      return backups.read()
    },
    checkBackup: ({ principal }, { params }) => {
      backups.check(params.backup_name, jobOwner(principal))
      return backups.read()
    },
    restoreBackup: ({ principal, workspace }, { params }) => {
      demandRole(principal, workspace, ['owner'], 'restore a backup')
      if (principal.kind !== 'session' || principal.personId !== owner)
        throw new ApiError(
          'owner_session_required',
          'A backup holds every workspace of this machine: only the person whom it belongs to may restore one.',
        )
      backups.restore(params.backup_name, jobOwner(principal))
      return backups.read()
    },
    setBackupSchedule: ({ principal, workspace }, { body }) => {
      demandRole(principal, workspace, ['owner', 'admin'], 'change how often backups are made')
      backups.setSchedule(body)
      return backups.read()
    },
  }
}
