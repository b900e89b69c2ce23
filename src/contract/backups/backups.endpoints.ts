import { endpoints } from '../endpoint.ts'
import { BackupName, Backups, BackupScheduleBody } from './backups.schemas.ts'

const tag = 'Backups'

export const backupsEndpoints = endpoints({
  listBackups: {
    method: 'GET',
    path: '/v1/backups',
    tag,
    summary: 'List backups, with the schedule and what is being done',
    description:
      'Backups are of the whole data folder’s database, whatever the workspace. Provider secrets in them stay encrypted; the key is not in them.',
    scope: 'workspace:read',
    status: 200,
    kind: 'json',
    response: Backups,
  },
  startBackup: {
    method: 'POST',
    path: '/v1/backups',
    tag,
    summary: 'Back up now',
    description:
      'For this machine’s owner and the key in service.json. Runs in the background; list backups for its progress. While one is running, returns that one.',
    scope: 'workspace:write',
    status: 202,
    kind: 'json',
    idempotent: 'stored',
    response: Backups,
    errors: ['owner_session_required'],
  },
  checkBackup: {
    method: 'POST',
    path: '/v1/backups/{backup_name}/check',
    tag,
    summary: 'Check a backup',
    description:
      'For this machine’s owner and the key in service.json. Reads all of its pages, in the background. While one is being checked, this answers that one.',
    scope: 'workspace:write',
    status: 202,
    kind: 'json',
    params: BackupName,
    response: Backups,
    errors: ['not_found', 'owner_session_required'],
  },
  restoreBackup: {
    method: 'POST',
    path: '/v1/backups/{backup_name}/restore',
    tag,
    summary: 'Restore a backup',
    description:
      'Replaces the data of every workspace on this machine. The backup is checked first; then the service stops for a moment, keeps the present database as a backup, and starts again on the other at the same address. Sessions, and what was revoked, stay as they are. Refused while runs are under way. For a session of this machine’s owner.',
    scope: 'workspace:write',
    status: 202,
    kind: 'json',
    params: BackupName,
    response: Backups,
    errors: ['not_found', 'owner_session_required', 'conflict'],
  },
  setBackupSchedule: {
    method: 'PATCH',
    path: '/v1/backups/schedule',
    tag,
    summary: 'Change how often backups are made and how many are kept',
    description: 'For a session of this machine’s owner.',
    scope: 'workspace:write',
    status: 200,
    kind: 'json',
    body: BackupScheduleBody,
    response: Backups,
    errors: ['owner_session_required'],
  },
})
