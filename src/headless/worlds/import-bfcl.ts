import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WorldDefinition } from '../../contract/worlds/worlds.schemas.ts'
import { ArchiveError } from '../../engine/archives/archive.ts'
import { openZip } from '../../engine/archives/read-zip.ts'
import { RowError } from '../../engine/importing/files/row.ts'
import { type BfclImport, type BfclWorld, bfclWorlds } from '../../engine/importing/worlds/bfcl-worlds.ts'
import { expectReference } from '../../engine/importing/worlds/expect-reference.ts'
import type { Session } from '../client/session.ts'
import { failureReason } from '../describe-failure.ts'
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts'
import { writeWorldFolder } from './world-folder.ts'

/** Makes environments of BFCL's tasks of several turns, a folder each; what a task expects is what its reference does when it is played. */
export async function importBfcl({ client, out }: Session, file: string, target: string): Promise<ExitCode> {
  const { worlds, left } = readBfcl(file)
  const made: { folder: string; tasks: number }[] = []
  for (const world of worlds) {
    const definition = await expecting(client, world)
    const folder = join(target, world.slug)
    writeWorldFolder(folder, { slug: world.slug, ...definition })
    made.push({ folder, tasks: definition.tasks.length })
    out.line(`Wrote ${folder}: ${definition.tasks.length} ${definition.tasks.length === 1 ? 'task' : 'tasks'}`)
  }
  out.body({ worlds: made, left })
  for (const each of left) out.line(`Left out: ${each}`)
  if (made[0]) out.note(`Next: assay world check ${made[0].folder}`)
  return exitCodes.passed
}

async function expecting(client: Session['client'], { definition, references }: BfclWorld): Promise<WorldDefinition> {
  const tasks: WorldDefinition['tasks'] = []
  for (const task of definition.tasks) {
    const reference = references.get(task.id) ?? []
    const moves = reference.map(({ name, arguments: given }) => ({ calls: [{ name, arguments: { ...given } }] }))
    const { episode } = await client.call('tryEnvironment', {
      body: { definition: { ...definition, tasks: [task] }, task_id: task.id, moves },
    })
    if (!episode) throw new UsageError(`${task.id}: its reference could not be played.`)
    if (episode.world_error !== null) throw new UsageError(`${task.id}: its reference could not be played: ${episode.world_error}`)
    tasks.push(expectReference(task, reference, episode, definition.tools))
  }
  return WorldDefinition.parse({ ...definition, tasks })
}

function readBfcl(file: string): BfclImport {
  try {
    return bfclWorlds(openZip(readFileSync(file)))
  } catch (error) {
    if (error instanceof RowError || error instanceof ArchiveError) throw new UsageError(`${file}: ${error.message}`)
    throw new UsageError(`${file}: ${failureReason(error)}`)
  }
}
