import { endpoints } from '../endpoint.ts'
import { BackupName, Backups, BackupScheduleBody, RestoreQuery } from './backups.schemas.ts'

export const backupsEndpoints = endpoints('Backups', {
  listBackups: {
    route: 'GET /v1/backups',
    summary: 'List backups with the schedule and the work in progress',
    description:
      'A backup contains the whole database, with all workspaces. Provider secrets stay encrypted; the encryption key is not included.',
    scope: 'workspace:read',
    response: Backups,
  },
  startBackup: {
    route: 'POST /v1/backups',
    summary: 'Back up now',
    description:
      'For this machine’s owner and the key in service.json. Runs in the background; list backups for its progress. While one is running, returns that one.',
    scope: 'workspace:write',
    status: 202,
    idempotent: 'stored',
    response: Backups,
    errors: ['owner_session_required'],
  },
  checkBackup: {
    route: 'POST /v1/backups/{backup_name}/check',
    summary: 'Check a backup',
    description:
      'For this machine’s owner and the key in service.json. Reads all of its pages in the background. While a check is running, returns that one.',
    scope: 'workspace:write',
    status: 202,
    params: BackupName,
    response: Backups,
    errors: ['owner_session_required', 'conflict'],
  },
  restoreBackup: {
    route: 'POST /v1/backups/{backup_name}/restore',
    summary: 'Restore a backup',
    description:
      'Replaces the data of every workspace on this machine. The backup is checked first; then the service stops briefly, keeps the current database as a backup, and restarts on the restored one at the same address. Sessions, limits and revocations are kept. A backup without a valid MAC needs `without_proof`. Refused while runs are in progress. For a session of this machine’s owner.',
    scope: 'workspace:write',
    status: 202,
    params: BackupName,
    query: RestoreQuery,
    response: Backups,
    errors: ['owner_session_required', 'conflict'],
  },
  setBackupSchedule: {
    route: 'PATCH /v1/backups/schedule',
    summary: 'Change the backup schedule and retention',
    description: 'For a session of this machine’s owner.',
    scope: 'workspace:write',
    body: BackupScheduleBody,
    response: Backups,
    errors: ['owner_session_required'],
  },
})
