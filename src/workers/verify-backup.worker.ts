import { verifyCopy } from '../storage/verify-copy.ts'

export interface VerifyBackupTask {
  readonly path: string
}

/** What is wrong with a copy of the database, or null. */
export default function verifyBackup({ path }: VerifyBackupTask): string | null {
  return verifyCopy(path)
}
