import { basename, extname } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { TryWorld } from '../../contract/worlds/play.schemas.ts'
import { NewWorld } from '../../contract/worlds/worlds.schemas.ts'
import { worldsExamples } from '../../contract/worlds/worlds.examples.ts'
import type { Output } from '../client/output.ts'
import { microUsdOf, modelOf } from '../client/resolve-run.ts'
import { type Finish, offline, onService, parseFlags, type Session } from '../client/session.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { failureReason } from '../describe-failure.ts'
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts'
import { readNamedFile } from '../read-named-file.ts'
import { argumentOf } from './arguments.ts'

const DraftFlags = z.object({ out: z.string().optional(), title: z.string().optional() })
const OutFlags = z.object({ out: z.string().optional() })
const TryFlags = z.object({ task: z.string().optional(), moves: z.string().optional(), epoch: z.coerce.number().int().min(1).default(1) })
const ImportFlags = DraftFlags.extend({ userModel: z.string().optional(), judge: z.string().optional() })
const AttackFlags = z.object({ writer: z.string().optional(), cap: z.string().optional(), policyRule: z.string().optional() })
const ToolsFlags = z.object({ server: z.string().min(1) })
const RecordFlags = z.object({ approve: z.array(z.string()).default([]) })
const Moves = TryWorld.shape.moves

/** `assay world init | check | try | create | draft | import | tools | attack | record | export | list`: for authors of environments. */
export function addWorld(program: Command, finish: Finish): void {
  const parent = program.command('world').description('write, check and play an environment of your own')
  const help = { visibleGlobalOptions: () => [...program.options] }
  const subcommand = (name: string, description: string) => parent.command(name).configureHelp(help).description(description)
  const onFolder = (name: string, description: string) =>
    subcommand(name, description).argument('[folder]', 'folder of the environment', '.')
  subcommand('init', 'write an environment to start from: world.yaml, tasks.jsonl, tools/*.js')
    .argument('[folder]', 'folder to write', '.')
    .action(
      offline(finish, async (out, command) => {
        const { writeWorldFolder } = await import('../worlds/world-folder.ts')
        const folder = command.args[0] ?? '.'
        for (const file of writeWorldFolder(folder, NewWorld.parse(worldsExamples.createEnvironment))) out.line(`Wrote ${file}`)
        out.note(`Next: assay world check ${folder}`)
        return exitCodes.passed
      }),
    )
  onFolder('check', 'replay the reference of each task; exits with 1 where one does not meet its expectation').action(
    onService(finish, (session, command) => check(session, command.args[0] ?? '.')),
  )
  onFolder('try', 'play one task by given moves in place of a model')
    .option('--task <id>', 'task to play (default: the first)')
    .option('--moves <file>', 'JSON list of moves: {"calls": [{"name", "arguments"}]} or {"answer"}; none shows how the task opens')
    .option('--epoch <n>', 'seeds the clock and randomness of functions (default: 1)')
    .action(onService(finish, (session, command) => play(session, command.args[0] ?? '.', parseFlags(TryFlags, command))))
  onFolder('create', 'create the environment in the workspace, or its next version; tools of approved MCP servers are recorded first')
    .option('--approve <server...>', 'address or command line of a server that may be called, as for "assay world record"')
    .action(onService(finish, (session, command) => create(session, command.args[0] ?? '.', parseFlags(RecordFlags, command))))
  subcommand('draft', 'make an environment of recorded traces, with secrets and contact details replaced')
    .argument('<trace...>', 'ids of recorded traces; each becomes a task')
    .option('--out <folder>', 'folder to write (default: the slug of the environment)')
    .option('--title <title>', 'title of the environment')
    .action(onService(finish, (session, command) => draft(session, command.args, parseFlags(DraftFlags, command))))
  subcommand(
    'import',
    'make environments of files, as an import in the browser does; in recordings, secrets and contact details are replaced',
  )
    .argument(
      '<path>',
      'a folder, zip or file: a folder with world.yaml; BFCL’s folder "data", whose categories of several turns become environments; a promptfoo configuration (YAML) with simulated users, turns or tools; or conversations with tool calls as JSON Lines of OpenAI, Anthropic, ShareGPT or an Inspect dataset, an Inspect log (JSON), or promptfoo results (JSON)',
    )
    .option('--out <folder>', 'folder to write (default: the slug of the environment)')
    .option('--title <title>', 'title of the environment')
    .option('--user-model <model>', 'model that plays the users and the tools of a configuration, by route or connection id')
    .option('--judge <model>', 'model that decides the judged assertions of a configuration')
    .action(onService(finish, (session, command) => importFile(session, argumentOf(command, 0), parseFlags(ImportFlags, command))))
  onFolder('tools', 'add the tools that an MCP server lists; only this server is called, and none of its tools')
    .requiredOption('--server <server>', 'address or command line of the server')
    .action(offline(finish, (out, command) => importTools(out, command.args[0] ?? '.', parseFlags(ToolsFlags, command))))
  subcommand('attack', 'create the attacked form of an environment: a variant of every task for each published attack')
    .argument('<slug>', 'environment of the workspace')
    .option('--policy-rule <name>', 'policy rule of the environment that the attacker wants broken (default: a canary word in the answer)')
    .option('--writer <model>', 'model that writes three more attacks in its own words, by route or connection id')
    .option('--cap <usd>', 'spending limit of the writer’s calls in US dollars')
    .action(onService(finish, (session, command) => attack(session, argumentOf(command, 0), parseFlags(AttackFlags, command))))
  onFolder('record', 'record what MCP servers answer to the calls of the tasks’ references, so that runs replay it offline')
    .option('--approve <server...>', 'address or command line of a server that may be called; without it, those that would be are listed')
    .action(offline(finish, (out, command) => record(out, command.args[0] ?? '.', parseFlags(RecordFlags, command))))
  subcommand('export', 'write the newest version of an environment as a folder, to edit or to package')
    .argument('<slug>', 'environment of the workspace')
    .option('--out <folder>', 'folder to write (default: the slug of the environment)')
    .action(onService(finish, (session, command) => exportWorld(session, argumentOf(command, 0), parseFlags(OutFlags, command))))
  subcommand('list', 'list environments of the workspace with the profiles that "assay run --benchmark" takes').action(
    onService(finish, list),
  )
}

async function check({ client, out }: Session, folder: string): Promise<ExitCode> {
  const { slug: _, previous_version_id: __, ...definition } = await readFolder(folder)
  const checked = await client.call('checkEnvironment', { body: { definition } })
  out.body(checked)
  for (const { task_id: id, status, explanation } of checked.tasks) {
    const verdict = status === 'passed' ? 'pass' : status === 'no_reference' ? 'unclear' : 'fail'
    out.line(`${out.mark(verdict, status.replaceAll('_', ' '))}  ${id}  ${explanation}`)
  }
  out.line(`${checked.passed} of ${checked.tasks.length} references pass`)
  return checked.tasks.every(({ status }) => status === 'passed' || status === 'no_reference') ? exitCodes.passed : exitCodes.gateFailed
}

async function play({ client, out }: Session, folder: string, { task, moves, epoch }: z.output<typeof TryFlags>): Promise<ExitCode> {
  const { slug: _, previous_version_id: __, ...definition } = await readFolder(folder)
  const taskId = task ?? definition.tasks[0]?.id ?? ''
  const body = { definition, task_id: taskId, epoch, moves: moves === undefined ? [] : readMoves(moves) }
  const { ended, opening, episode, verdict } = await client.call('tryEnvironment', { body })
  out.body({ ended, opening, episode, verdict })
  for (const { role, content } of episode ? [] : opening) out.line(`${role}: ${content}`)
  for (const { turn, calls, changes } of episode?.steps ?? []) {
    for (const { name, arguments: given, error } of calls)
      out.line(`turn ${turn}  ${name}(${JSON.stringify(given)})${error ? '  error' : ''}`)
    for (const { path, before, after } of changes) out.line(`turn ${turn}  ${path}: ${shown(before)} → ${shown(after)}`)
  }
  if (!verdict) {
    out.note(ended ? 'The episode has no verdict.' : 'The episode is not over: add moves.')
    return exitCodes.passed
  }
  const word = verdict.value === null ? 'no verdict' : verdict.value >= 1 ? 'passed' : 'failed'
  out.line(`${out.mark(word === 'passed' ? 'pass' : word === 'failed' ? 'fail' : 'unclear', word)}  ${verdict.explanation}`)
  return word === 'failed' ? exitCodes.gateFailed : exitCodes.passed
}

async function create({ client, out }: Session, folder: string, { approve }: z.output<typeof RecordFlags>): Promise<ExitCode> {
  if (approve.length > 0) await recordInto(folder, approve)
  const body = await readFolder(folder)
  const made = await client.call('createEnvironment', { body, headers: { 'idempotency-key': crypto.randomUUID() } })
  out.body(made)
  out.line(`${made.slug}  ${made.version}  ${made.task_count} ${made.task_count === 1 ? 'task' : 'tasks'}`)
  for (const id of made.profile_ids) out.line(id)
  const bare = body.tools.filter(({ behavior }) => behavior.kind === 'mcp' && behavior.results.length === 0).map(({ name }) => name)
  if (bare.length > 0)
    out.note(`Nothing is recorded for ${bare.join(', ')}: a call of it ends a task without a score. Run assay world record.`)
  out.note(`Next: assay run --model MODEL --benchmark ${made.slug}:text-tools`)
  return exitCodes.passed
}

async function importFile(
  session: Session,
  path: string,
  { title = basename(path, extname(path)), userModel, judge, out }: z.output<typeof ImportFlags>,
): Promise<ExitCode> {
  const { importFiles } = await import('../worlds/import-files.ts')
  return importFiles(session, path, { title, userModel, judge, out })
}

async function draft(
  { client, out }: Session,
  traces: readonly string[],
  { out: target, title }: z.output<typeof DraftFlags>,
): Promise<ExitCode> {
  const made = await client.call('draftEnvironment', { body: { trace_ids: [...traces], ...(title !== undefined && { title }) } })
  const { writeWorldFolder } = await import('../worlds/world-folder.ts')
  const folder = target ?? made.slug
  const files = writeWorldFolder(folder, { slug: made.slug, ...made.definition })
  out.body({ ...made, files })
  for (const file of files) out.line(`Wrote ${file}`)
  for (const { task_id: id, status, explanation, notes } of made.tasks) {
    out.line(`${out.mark(status === 'passed' ? 'pass' : 'fail', status.replaceAll('_', ' '))}  ${id}  ${explanation}`)
    for (const note of notes) out.line(`  ${note}`)
  }
  out.note(
    `Replaced: ${made.replaced?.secrets ?? 0} secrets, ${made.replaced?.personal ?? 0} contact details. Next: assay world check ${folder}`,
  )
  return made.tasks.every(({ status }) => status === 'passed') ? exitCodes.passed : exitCodes.gateFailed
}

async function attack(session: Session, slug: string, { writer, cap, policyRule }: z.output<typeof AttackFlags>): Promise<ExitCode> {
  const { client, out } = session
  const latest = await newestOf(client, slug)
  if (writer === undefined && cap !== undefined) throw new UsageError('--cap limits the calls of a writer; name one with --writer.')
  const rewrites = writer === undefined ? [] : await writeAttacks(session, writer, cap)
  const made = await client.call('attackEnvironment', {
    params: { environment_version_id: latest.id },
    body: { rewrites, ...(policyRule !== undefined && { policy_rule: policyRule }) },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  out.body(made)
  out.line(`${made.slug}  ${made.version}  ${made.task_count} tasks`)
  out.note(`Next: assay run --model MODEL --benchmark ${made.slug}:text-tools`)
  return exitCodes.passed
}

async function newestOf(client: Session['client'], slug: string) {
  const { items } = await client.call('listEnvironmentVersions', { query: { slug, limit: 1 } })
  const [latest] = items
  if (!latest) throw new UsageError(`The workspace has no environment "${slug}"; "assay world list" lists them.`)
  return latest
}

async function exportWorld({ client, out }: Session, slug: string, { out: target }: z.output<typeof OutFlags>): Promise<ExitCode> {
  const { id } = await newestOf(client, slug)
  const { definition } = await client.call('getEnvironmentVersion', { params: { environment_version_id: id } })
  const { writeWorldFolder } = await import('../worlds/world-folder.ts')
  const folder = target ?? slug
  const files = writeWorldFolder(folder, { slug, previous_version_id: id, ...definition })
  out.body({ slug, environment_version_id: id, files })
  for (const file of files) out.line(`Wrote ${file}`)
  out.note(`Next: assay world create ${folder}, or assay package init FOLDER --world ${folder}`)
  return exitCodes.passed
}

async function writeAttacks({ client, out }: Session, writer: string, cap: string | undefined): Promise<string[]> {
  const { rewrites, provider_billed_microusd: billed } = await client.call('rewriteAttacks', {
    body: { model: { model: await modelOf(client, writer) }, ...(cap !== undefined && { max_charge_microusd: microUsdOf(cap) }) },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  for (const text of rewrites) out.line(text.replaceAll(/\s+/g, ' '))
  out.note(`Written by ${writer} for ${formatUsd(billed)}, billed by its provider.`)
  return rewrites
}

async function importTools(out: Output, folder: string, { server }: z.output<typeof ToolsFlags>): Promise<ExitCode> {
  const { addTools } = await import('../worlds/world-folder.ts')
  const { readServer, toolsOfServer } = await import('../worlds/import-tools.ts')
  const { tools, left } = await toolsOfServer(await readFolder(folder), readServer(server))
  const file = tools.length > 0 ? await addTools(folder, tools) : null
  out.body({ file, tools: tools.map(({ name }) => name), left })
  for (const { name } of tools) out.line(`Added ${name}`)
  for (const each of left) out.line(`Left out: ${each}`)
  out.note(`Next: name their calls in the references of tasks.jsonl, then assay world record ${folder} --approve ${JSON.stringify(server)}`)
  return exitCodes.passed
}

async function recordInto(folder: string, approve: readonly string[]) {
  const { writeCassette } = await import('../worlds/world-folder.ts')
  const { recordCassettes } = await import('../worlds/record-cassettes.ts')
  const { cassettes, replaced } = await recordCassettes(await readFolder(folder), approve)
  const files = await Promise.all(
    cassettes.map(async ({ name, results, calls }) => ({ path: await writeCassette(folder, name, results), name, calls })),
  )
  return { files, replaced }
}

async function record(out: Output, folder: string, { approve }: z.output<typeof RecordFlags>): Promise<ExitCode> {
  const { files, replaced } = await recordInto(folder, approve)
  out.body({ files, replaced })
  for (const { path, calls } of files) out.line(`Wrote ${path}: ${calls} ${calls === 1 ? 'call' : 'calls'}`)
  if (files.length === 0) out.line('No tools to record.')
  out.note(`Replaced: ${replaced.secrets} secrets, ${replaced.personal} contact details. Next: assay world check ${folder}`)
  return exitCodes.passed
}

async function list({ client, out }: Session): Promise<ExitCode> {
  const newest = new Map<string, Awaited<ReturnType<typeof page>>['items'][number]>()
  const page = (cursor: string | undefined) => client.call('listEnvironmentVersions', { query: { cursor, limit: 100 } })
  for (let cursor: string | undefined; ; ) {
    const { items, next_cursor: next } = await page(cursor)
    for (const item of items) if (!newest.has(item.slug)) newest.set(item.slug, item)
    if (next === null) break
    cursor = next
  }
  const worlds = [...newest.values()]
  out.body(worlds)
  out.table(
    ['slug', 'title', 'tools', 'tasks', 'version'],
    worlds.map(({ slug, title, tool_count: tools, task_count: tasks, version }) => [slug, title, String(tools), String(tasks), version]),
  )
  return exitCodes.passed
}

async function readFolder(folder: string): Promise<NewWorld> {
  const { readWorldFolder } = await import('../worlds/world-folder.ts')
  return readWorldFolder(folder)
}

function readMoves(path: string): TryWorld['moves'] {
  const text = readNamedFile(path, { option: '--moves' }).toString()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`--moves: ${path}: ${failureReason(error)}`)
  }
  const parsed = Moves.safeParse(value)
  if (parsed.success) return parsed.data
  throw new UsageError(`--moves: ${path}: ${z.prettifyError(parsed.error)}`)
}

const shown = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value))
