import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { draftFileLimits, type NewWorldDraft } from '../../contract/worlds/drafts.schemas.ts'
import type { DraftedWorld } from '../../contract/worlds/play.schemas.ts'
import { followJob } from '../client/follow-job.ts'
import { modelOf } from '../client/resolve-run.ts'
import type { Session } from '../client/session.ts'
import { failureReason } from '../describe-failure.ts'
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts'
import { mostData, readNamedFile } from '../read-named-file.ts'
import { isInside } from '../is-inside.ts'
import { writeWorldFolder } from './world-folder.ts'

interface Flags {
  readonly title: string
  readonly out?: string | undefined
  readonly userModel: string | undefined
  readonly judge: string | undefined
}

/** Makes environments of what lies at a path, a folder each, by the service’s own import; what it leaves out is named. */
export async function importFiles(session: Session, path: string, { title, out: target, userModel, judge }: Flags): Promise<ExitCode> {
  const { client, out } = session
  const player = async (name: string) => ({ model: await modelOf(client, name), effort: null, temperature: 0 })
  const body: NewWorldDraft = {
    title: title.slice(0, 200),
    files: filesAt(path),
    ...(userModel !== undefined && { user_model: { ...(await player(userModel)), max_charge_microusd: null } }),
    ...(judge !== undefined && { judge: await player(judge) }),
  }
  const { id, job_id: jobId } = await client.call('startEnvironmentDraft', { body, headers: { 'idempotency-key': crypto.randomUUID() } })
  const job = await followJob(session, jobId, 'Importing')
  if (job.state !== 'succeeded') throw new UsageError(`${path}: ${withFlag(job.error?.message ?? `The import was ${job.state}.`)}`)
  const { worlds } = await client.call('getEnvironmentDraft', { params: { environment_draft_id: id } })
  const made = (worlds ?? []).map((world, _, all) => {
    const folder = all.length > 1 ? join(target ?? '.', world.slug) : (target ?? world.slug)
    return { ...world, folder, files: writeWorldFolder(folder, { slug: world.slug, ...world.definition }) }
  })
  out.body({ worlds: made })
  for (const world of made) show(session, world)
  if (made[0]) out.note(`Next: assay world check ${made[0].folder}`)
  const failed = made.some(({ tasks }) => tasks.some(({ status }) => status === 'failed' || status === 'world_error'))
  return failed ? exitCodes.gateFailed : exitCodes.passed
}

function show({ out }: Session, { folder, tasks, replaced, left_out: left }: DraftedWorld & { readonly folder: string }): void {
  out.line(`Wrote ${folder}: ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}`)
  for (const { task_id: id, status, explanation, notes } of tasks) {
    if (status === 'failed' || status === 'world_error') out.line(`${out.mark('fail', status.replaceAll('_', ' '))}  ${id}  ${explanation}`)
    for (const note of notes) out.line(`  ${id}: ${note}`)
  }
  for (const { name, reason } of left) out.line(`Left out: ${reason === '' ? name : `${name} ${reason}`}`)
  if (replaced) out.note(`Replaced: ${replaced.secrets} secrets, ${replaced.personal} contact details.`)
}

/** A folder’s files, or a file; a configuration in YAML with those beside it that it names. @throws UsageError */
function filesAt(path: string): NonNullable<NewWorldDraft['files']> {
  try {
    const isFolder = statSync(path).isDirectory()
    const [folder, names] = isFolder ? [path, namesIn(path)] : [dirname(path), [basename(path), ...namedBy(path)]]
    if (names.length > draftFileLimits.files)
      throw new UsageError(`${path} holds ${names.length} files; at most ${draftFileLimits.files} are sent. Pack it as zip.`)
    return names.map(name => ({
      name: name.replaceAll('\\', '/'),
      content: readNamedFile(join(folder, name), { mostBytes: mostData }).toString('base64'),
    }))
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`${path}: ${failureReason(error)}`)
  }
}

/** Files in a folder and below, without hidden ones and without links. */
function namesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .flatMap(entry => {
      if (entry.isDirectory()) return namesIn(join(folder, entry.name)).map(name => join(entry.name, name))
      return entry.isFile() ? [entry.name] : []
    })
    .sort()
}

/** What a configuration names lies beside it: a path that leads out of its folder is not read. */
function namedBy(file: string): string[] {
  if (!/\.ya?ml$/i.test(file)) return []
  const folder = dirname(file)
  const named = [
    ...readNamedFile(file)
      .toString()
      .matchAll(/file:\/\/([^\s'",\]}:]+)/g),
  ].map(([, path = '']) => path.replace(/^\.\//, ''))
  return [...new Set(named)].filter(path => path !== basename(file) && existsSync(join(folder, path)) && isInside(folder, path))
}

/** The part of a world that a flag chooses. */
function withFlag(message: string): string {
  if (message.includes('`user_model`')) return `${message} with --user-model`
  return message.includes('`judge`') ? `${message} with --judge` : message
}
