import { parseArgs } from 'node:util'
import { openSandboxes } from '../engine/sandbox/open-sandbox.ts'
import { findSandboxFiles } from '../engine/sandbox/sandbox-files.ts'
import { examine, type Finding } from '../service/doctor/index.ts'
import { defaultDataDir } from './config.ts'

/** Faults of one check that are printed; the rest is counted. */
const shown = 10

/**
 * Examines the database and backs it up where asked; with `--sandbox` tries every way to run model-written code instead. Answers 1 when
 * anything is wrong.
 */
export async function doctor(args: readonly string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        'data-dir': { type: 'string' },
        backup: { type: 'boolean', default: false },
        sandbox: { type: 'boolean', default: false },
      },
    })
    if (values.sandbox) return await examineSandbox()
    const { findings, backup } = examine({ dataDir: values['data-dir'] ?? defaultDataDir(), backup: values.backup, now: new Date() })
    for (const finding of findings) for (const line of linesOf(finding)) console.log(line)
    const faulty = findings.some(finding => finding.faults.length > 0)
    if (backup) console.log(`\nBackup: ${backup}`)
    else if (values.backup && faulty)
      console.error('\nNo backup was made: it would keep the faults. Copy the whole folder while no service runs on it.')
    return faulty ? 1 : 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    return 1
  }
}

async function examineSandbox(): Promise<number> {
  const { report, sandboxes } = await openSandboxes(findSandboxFiles(null), { every: true })
  await Promise.all([sandboxes.python?.close(), sandboxes.javascript?.close()])
  for (const { title, available, reason } of report.tiers) console.log(`${available ? 'ok   ' : 'no   '}  ${title}\n       ${reason}`)
  const { python, javascript } = report.chosen
  console.log('')
  for (const [name, chosen] of [['Python', python] as const, ['JavaScript', javascript] as const])
    console.log(chosen ? `Model-written ${name} runs in: ${chosen.id}` : `Model-written ${name} cannot run on this machine.`)
  return python && javascript ? 0 : 1
}

function linesOf({ check, faults }: Finding): string[] {
  const rest = faults.length - shown
  return [
    `${faults.length === 0 ? 'ok   ' : 'FAULT'}  ${check}`,
    ...faults.slice(0, shown).map(fault => `       ${fault}`),
    ...(rest > 0 ? [`       and ${rest} more`] : []),
  ]
}
