import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import { importMachine } from '../../contract/catalog/import.machine.ts'
import { ImportFormat, type ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { parseReply } from '../../contract/client-by-id.ts'
import { isTerminal } from '../../contract/machine.ts'
import { type Finish, onService, parseFlags, type Session } from '../client/session.ts'
import { collect } from '../client/run-flags.ts'
import { blobOf } from '../client/upload.ts'
import { describeFailure } from '../describe-failure.ts'
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts'
import { readNamedFile } from '../read-named-file.ts'

const Flags = z.object({
  recipe: z.string().optional(),
  format: ImportFormat.optional(),
  mapping: z.string().optional(),
  name: z.string().optional(),
  task: z.string().optional(),
  fetchMedia: z.array(z.string()).optional(),
  leaveOut: z.boolean().default(false),
  dryRun: z.boolean().default(false),
})
const pollMs = 300

/** `assay import FILE… --recipe R`, or with `--format`: benchmark data as a new version. */
export function addImport(program: Command, finish: Finish): void {
  program
    .command('import')
    .argument('<files...>', 'files of the benchmark')
    .description('import benchmark data')
    .option('--recipe <id>', 'recipe of a known benchmark')
    .option('--format <format>', `format of other data: ${ImportFormat.options.join(', ')}`)
    .option('--mapping <json>', 'which column is what: JSON, or @FILE with JSON')
    .option('--name <name>', 'title of the new benchmark')
    .option('--task <name>', 'group, tag or task of a folder of lm-evaluation-harness')
    .option('--leave-out', 'import the promptfoo tests that can be, and list the others')
    .option('--fetch-media <host=count>', 'download at most so many media files that rows name at this host (repeatable)', collect)
    .option('--dry-run', 'only validate and preview')
    .action(onService(finish, (session, command) => importFiles(session, command.args, parseFlags(Flags, command))))
}

async function importFiles(session: Session, files: readonly string[], flags: z.output<typeof Flags>): Promise<ExitCode> {
  if ((flags.recipe === undefined) === (flags.format === undefined)) throw new UsageError('Give either --recipe or --format.')
  const { client, out } = session
  const reply = await client.send('/v1/catalog/imports', {
    method: 'POST',
    body: await formOf(files, flags),
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  let record = parseReply('createImport', { status: reply.status, text: await reply.text() })
  while (!isTerminal(importMachine, record.status)) {
    out.progress(`${record.status}…`)
    await delay(pollMs)
    record = await client.call('getImport', { params: { import_id: record.id } })
  }
  out.endProgress()
  out.body(record)
  show(session, record)
  return record.errors.length > 0 || record.status === 'failed' ? exitCodes.error : exitCodes.passed
}

async function formOf(
  files: readonly string[],
  { recipe, format, mapping, name, task, fetchMedia, leaveOut, dryRun }: z.output<typeof Flags>,
): Promise<FormData> {
  const form = new FormData()
  const fields = { recipe, format, name, task, mapping: mapping === undefined ? undefined : mappingText(mapping) }
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) form.set(key, value)
  if (fetchMedia) form.set('fetch_media', JSON.stringify(fetchesOf(fetchMedia)))
  if (leaveOut) form.set('leave_out', 'true')
  if (dryRun) form.set('dry_run', 'true')
  for (const file of files) {
    form.append('file', await blobOf(file), basename(file))
  }
  return form
}

/** Hosts and numbers of `images.example=120`. */
function fetchesOf(given: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const text of given) {
    const [, host, count] = /^(.+)=(\d{1,7})$/.exec(text) ?? []
    if (host === undefined) throw new UsageError(`--fetch-media must be HOST=COUNT, such as images.example=120, not ${text}.`)
    if (counts.has(host)) throw new UsageError(`--fetch-media names ${host} twice. Give one number for each host.`)
    counts.set(host, Number(count))
  }
  return Object.fromEntries(counts)
}

function mappingText(mapping: string): string {
  const text = mapping.startsWith('@') ? readNamedFile(mapping.slice(1), { option: '--mapping' }).toString() : mapping
  try {
    JSON.parse(text)
    return text
  } catch (error) {
    throw new UsageError(`--mapping must be JSON, or @FILE with JSON: ${describeFailure(error)}`)
  }
}

function show(
  { out }: Session,
  { status, errors, warnings, left_out: left, left_out_count: count, source_ref: source }: ImportRecord,
): void {
  for (const warning of warnings) out.line(`Note: ${warning}`)
  for (const { file, line, message } of errors) out.line(`${file}${line === null ? '' : `:${line}`}: ${message}`)
  for (const { file, line, message } of left) out.line(`${file}:${line}: left out: ${message}`)
  if (count > left.length) out.line(`${count - left.length} more left out`)
  out.line(source === null ? status : `${status}: ${source}`)
}
