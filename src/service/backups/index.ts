export { listBackupFiles } from './backup-files.ts'
export { backupsHandlers } from './backups.handlers.ts'
export { createBackups } from './backups.service.ts'
export { restoreBackup } from './restore-backup.ts'
