import { parseArgs } from 'node:util'
import { formatBytes } from '../lib/format/bytes.ts'
import { messageOf } from '../lib/message-of.ts'
import { listBackupFiles, restoreBackup } from '../service/backups/index.ts'
import { defaultDataDir } from './config.ts'
import { complainAs } from './print.ts'
import { createOutput, type Output } from './client/output.ts'

/** Lists the backups of a data folder, or puts one in the place of its database. */
export function restore(args: readonly string[]): number {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        'data-dir': { type: 'string' },
        backup: { type: 'string' },
        'without-proof': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    })
    const out = createOutput({ json: values.json, quiet: false, color: false })
    const dataDir = values['data-dir'] ?? defaultDataDir()
    if (values.backup === undefined) return list(dataDir, out)
    const { backup, replaced, accessCarried } = restoreBackup(dataDir, values.backup, values['without-proof'], new Date())
    out.body({ restored: backup, replaced, access_carried: accessCarried })
    out.line(`Restored ${backup}.${replaced ? ` The previous data is in ${replaced}.` : ''}`)
    if (!accessCarried)
      out.note(
        'The replaced database could not be read: sessions, API keys and members are those of the backup. Revoke what should not work any more.',
      )
    out.line('Runs that were active when the backup was made resume at the next start.')
    return 0
  } catch (error) {
    complainAs({ json: args.includes('--json') }, 'error', messageOf(error))
    return 1
  }
}

function list(dataDir: string, out: Output): number {
  const backups = listBackupFiles(dataDir)
  out.body({ backups: backups.map(({ name, created_at, bytes, newer, hasMac }) => ({ name, created_at, bytes, newer, has_mac: hasMac })) })
  for (const { name, created_at, bytes, newer, hasMac } of backups)
    out.line(
      `${created_at}  ${formatBytes(bytes).padStart(9)}  ${name}${newer ? '  (of a newer Assay: update Assay first)' : ''}${hasMac ? '' : '  (no MAC: takes --without-proof)'}`,
    )
  out.line(
    backups.length === 0
      ? `There is no backup in ${dataDir} yet.`
      : '\nStop the service, then name one with --backup NAME, or --backup newest.',
  )
  return 0
}
