import { writeMac } from '../storage/backup-mac.ts'
import { foreignness } from '../storage/compare-schema.ts'
import { copyVerified, type Verified, verifyBackupFile, verifyCopy } from '../storage/verify-copy.ts'

export interface VerifyBackupTask {
  readonly path: string
  /** Backup that is copied there first. */
  readonly copyOf?: string
  /** Path of the backup that the file becomes; its MAC is written. */
  readonly becomes?: string
}

/** What is wrong with a copy of the database, and whether it is as this data folder made it. */
export default function verifyBackup({ path, copyOf, becomes }: VerifyBackupTask): Verified {
  if (copyOf !== undefined) return copyVerified(copyOf, path, foreignness)
  if (becomes === undefined) return verifyBackupFile(path, foreignness)
  const fault = verifyCopy(path)
  if (fault === null) writeMac(path, becomes)
  return { fault, proof: 'valid', log: null }
}
