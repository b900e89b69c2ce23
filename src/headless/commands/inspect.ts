import type { Command } from 'commander'
import { z } from 'zod'
import { type Finish, onService, parseFlags, type Session } from '../client/session.ts'
import { exitCodes, UsageError } from '../exit-codes.ts'
import { listedResources, type ListedResource, type ListPage } from './listed-resources.ts'

const Flags = z.object({
  limit: z.coerce.number('must be a number from 1 to 100').int().min(1).max(100).optional(),
  cursor: z.string().optional(),
  search: z.string().optional(),
})

/** `assay runs`, `assay runs list`, `assay runs show ID`, and the same of every other listed resource. */
export function addInspect(program: Command, finish: Finish): void {
  for (const resource of listedResources) {
    const { name, title } = resource
    program
      .command(name)
      .description(`list ${title}, or show one`)
      .argument('[action]', 'list or show', 'list')
      .argument('[id]', 'what to show')
      .option('--limit <n>', 'entries of a page')
      .option('--cursor <cursor>', 'continue after an earlier page')
      .option('--search <text>', 'only entries that contain this text')
      .action(
        onService(finish, async (session, command) => {
          const [action = 'list', id] = command.args
          if (action === 'list' && id === undefined) await list(session, resource, parseFlags(Flags, command))
          else if (action === 'show' && id !== undefined) await show(session, resource, id)
          else throw new UsageError(`Use "assay ${name} list" or "assay ${name} show ID"; "assay ${name} --help" has every action.`)
          return exitCodes.passed
        }),
      )
  }
}

async function list({ client, out }: Session, { list: read, columns }: ListedResource, flags: z.infer<typeof Flags>): Promise<void> {
  const page: ListPage = await read(client, flags)
  out.body(page)
  out.table(
    columns.map(({ head }) => head),
    page.items.map(item => columns.map(({ cell }) => cell(item))),
  )
  if (page.items.length === 0) out.note('Nothing found.')
  if (page.next_cursor != null && !out.json) out.note(`More: --cursor ${page.next_cursor}`)
}

async function show({ client, out }: Session, { show: read }: ListedResource, id: string): Promise<void> {
  const found = await read(client, id)
  out.body(found)
  // A detail has more fields than a table has room for; JSON is readable and complete.
  out.line(JSON.stringify(found, null, 2))
}
