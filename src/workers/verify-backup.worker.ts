import { copyVerified, verifyCopy } from '../storage/verify-copy.ts'

export interface VerifyBackupTask {
  readonly path: string
  /** Backup that is copied there first. */
  readonly copyOf?: string
}

/** What is wrong with a copy of the database, or null. */
export default function verifyBackup({ path, copyOf }: VerifyBackupTask): string | null {
  return copyOf === undefined ? verifyCopy(path) : copyVerified(copyOf, path)
}
