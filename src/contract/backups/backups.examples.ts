import type { BodyExamples } from '../body-examples.ts'
import type { backupsEndpoints } from './backups.endpoints.ts'

export const backupsExamples: BodyExamples<typeof backupsEndpoints> = {
  setBackupSchedule: { every: 'daily', keep: 7 },
}
