import { statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parseReply } from '../../contract/client-by-id.ts'
import { packageChecks, type PackageReview } from '../../contract/creator/packages.schemas.ts'
import { openPackage } from '../../engine/importing/packages/open-package.ts'
import { PackageFault } from '../../engine/importing/packages/package-fault.ts'
import { startEphemeral } from '../client/ephemeral.ts'
import type { Output } from '../client/output.ts'
import { connect, type ServiceClient } from '../client/service-client.ts'
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts'
import { mostData, readNamedFile } from '../read-named-file.ts'
import { packFolder } from './pack-folder.ts'

const pollMs = 200

/**
 * Uploads a package to a service that lives as long as the command, on a data folder of its own: the checks are those of an upload.
 * Overlap is measured against the benchmarks that come with Assay.
 * @param publicKey of the namespace, PEM
 */
export async function checkPackage(path: string, publicKey: string | null, out: Output): Promise<ExitCode> {
  const bytes = await packageBytes(path)
  const { manifest } = opened(bytes)
  const service = await startEphemeral(undefined)
  try {
    const client = await connect(service.dataDir)
    const key = publicKey === null ? {} : { public_key: publicKey }
    await client.call('createNamespace', { body: { name: manifest.namespace, title: manifest.namespace, description: '', ...key } })
    const checks = await checksOf(client, bytes, out)
    out.body({ package: { namespace: manifest.namespace, name: manifest.name, version: manifest.version }, checks })
    show(checks, out)
    out.note(`An upload needs the namespace "${manifest.namespace}" in its workspace. Register it in Creator if it is not there.`)
    return checks.some(({ outcome }) => outcome === 'fail' || outcome === 'error') ? exitCodes.error : exitCodes.passed
  } finally {
    await service.close()
  }
}

async function packageBytes(path: string): Promise<Buffer> {
  let isFolder: boolean
  try {
    isFolder = statSync(path).isDirectory()
  } catch {
    throw new UsageError(`There is no file or folder ${path}.`)
  }
  return isFolder ? (await packFolder(path, null)).zip : readNamedFile(path, { mostBytes: mostData })
}

function opened(bytes: Buffer) {
  try {
    return openPackage(bytes)
  } catch (error) {
    if (error instanceof PackageFault) throw new UsageError(error.message)
    throw error
  }
}

async function checksOf(client: ServiceClient, bytes: Buffer, out: Output): Promise<PackageReview[]> {
  const form = new FormData()
  form.set('file', new Blob([Uint8Array.from(bytes)]), 'package.zip')
  const reply = await client.send('/v1/creator/packages', { method: 'POST', body: form })
  const made = parseReply('createPackage', { status: reply.status, text: await reply.text() })
  if ('dry_run' in made || made.job_id === null) throw new Error('The service started no checks.')
  for (;;) {
    const job = await client.call('getJob', { params: { job_id: made.job_id } })
    if (job.state !== 'queued' && job.state !== 'running') break
    if (job.progress?.message) out.progress(job.progress.message)
    await delay(pollMs)
  }
  out.endProgress()
  const { items } = await client.call('listPackageReviews', { params: { package_id: made.id }, query: { limit: 100 } })
  const place = ({ check }: PackageReview) => packageChecks.findIndex(one => one === check)
  return items.sort((a, b) => place(a) - place(b))
}

const marks = { pass: 'pass', fail: 'fail', error: 'fail' } as const

function show(checks: readonly PackageReview[], out: Output): void {
  for (const { check, outcome, detail, task_ids } of checks) {
    const mark = outcome in marks ? marks[outcome as keyof typeof marks] : 'unclear' // only where it is one of the keys
    out.line(`${out.mark(mark, outcome.padEnd(14))} ${check.padEnd(18)} ${detail}`)
    if (outcome !== 'pass' && task_ids.length > 0) out.line(`${' '.repeat(34)}Tasks: ${task_ids.join(', ')}`)
  }
  const failed = checks.filter(({ outcome }) => outcome === 'fail').length
  out.line(failed === 0 ? 'No check fails.' : `${failed} of ${checks.length} checks fail: this version would be rejected.`)
}
