import { parseArgs } from 'node:util'
import { openSandboxes } from '../engine/grading/sandbox/open-sandbox.ts'
import { findSandboxFiles } from '../engine/grading/sandbox/sandbox-files.ts'
import { examine, type Finding } from '../service/doctor/index.ts'
import { findRunningService, isOurService } from '../service/lifecycle/running-service.ts'
import { defaultDataDir } from './config.ts'
import { complainAs } from './print.ts'
import { createOutput, type Output } from './client/output.ts'
import { messageOf } from '../lib/message-of.ts'

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
        json: { type: 'boolean', default: false },
      },
    })
    const out = createOutput({ json: values.json, quiet: false, color: false })
    if (values.sandbox) return await examineSandbox(out)
    const dataDir = values['data-dir'] ?? defaultDataDir()
    const { findings: stored, backup } = examine({ dataDir, backup: values.backup, now: new Date() })
    const findings = [...stored, ...(await examineAddress(dataDir))]
    out.body({ findings, backup })
    for (const finding of findings) for (const line of linesOf(finding)) out.line(line)
    const faulty = findings.some(finding => finding.faults.length > 0)
    if (backup) out.line(`\nBackup: ${backup}`)
    else if (values.backup && stored.some(finding => finding.faults.length > 0))
      out.note('\nNo backup was made: it would keep the faults. Copy the whole folder while no service runs on it.')
    return faulty ? 1 : 0
  } catch (error) {
    complainAs({ json: args.includes('--json') }, 'error', messageOf(error))
    return 1
  }
}

/** Whether who answers where the service said it would is the service. No finding where none runs. */
async function examineAddress(dataDir: string): Promise<Finding[]> {
  const running = findRunningService(dataDir)
  if (!running) return []
  const check = `${running.base_url} is answered by the service that service.json names`
  try {
    return [{ check, faults: (await isOurService(running)) ? [] : ['another program has taken the port: send it no key'] }]
  } catch (error) {
    return [{ check, faults: [`nothing answers (${messageOf(error)})`] }]
  }
}

async function examineSandbox(out: Output): Promise<number> {
  const { report, sandboxes } = await openSandboxes(findSandboxFiles(null), { every: true })
  await Promise.all([sandboxes.python?.close(), sandboxes.javascript?.close()])
  const { python, javascript } = report.chosen
  out.body({ tiers: report.tiers, chosen: { python: python?.id ?? null, javascript: javascript?.id ?? null } })
  for (const { title, available, reason } of report.tiers) out.line(`${available ? 'ok   ' : 'no   '}  ${title}\n       ${reason}`)
  out.line('')
  for (const [name, chosen] of [['Python', python] as const, ['JavaScript', javascript] as const])
    out.line(chosen ? `Model-written ${name} runs in: ${chosen.id}` : `Model-written ${name} cannot run on this machine.`)
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
