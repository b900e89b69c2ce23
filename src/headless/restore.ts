import { parseArgs } from 'node:util'
import { formatBytes } from '../lib/format/bytes.ts'
import { messageOf } from '../lib/message-of.ts'
import { listBackupFiles, restoreBackup } from '../service/backups/index.ts'
import { defaultDataDir } from './config.ts'
import { complain, print } from './print.ts'

/** Lists the backups of a data folder, or puts one in the place of its database. */
export function restore(args: readonly string[]): number {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { 'data-dir': { type: 'string' }, backup: { type: 'string' }, 'without-proof': { type: 'boolean', default: false } },
    })
    const dataDir = values['data-dir'] ?? defaultDataDir()
    if (values.backup === undefined) return list(dataDir)
    const { backup, replaced, accessCarried } = restoreBackup(dataDir, values.backup, values['without-proof'], new Date())
    print(`Restored ${backup}.${replaced ? ` The previous data is in ${replaced}.` : ''}`)
    if (!accessCarried)
      complain(
        'The replaced database could not be read: sessions, API keys and members are those of the backup. Revoke what should not work any more.',
      )
    print('Runs that were active when the backup was made resume at the next start.')
    return 0
  } catch (error) {
    complain(messageOf(error))
    return 1
  }
}

function list(dataDir: string): number {
  const backups = listBackupFiles(dataDir)
  for (const { name, created_at, bytes, newer, hasMac } of backups)
    print(
      `${created_at}  ${formatBytes(bytes).padStart(9)}  ${name}${newer ? '  (of a newer Assay: update Assay first)' : ''}${hasMac ? '' : '  (no MAC: takes --without-proof)'}`,
    )
  print(
    backups.length === 0
      ? `There is no backup in ${dataDir} yet.`
      : '\nStop the service, then name one with --backup NAME, or --backup newest.',
  )
  return 0
}
