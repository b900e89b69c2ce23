import { invalidField } from '../../contract/errors.ts'
import type { NewWorldDraft } from '../../contract/worlds/drafts.schemas.ts'
import type { CheckedWorld, DraftedWorld, LeftOut } from '../../contract/worlds/play.schemas.ts'
import { WorldDefinition } from '../../contract/worlds/worlds.schemas.ts'
import type { Workers } from '../../workers/pool.ts'

interface ImportTools {
  readonly workers: Pick<Workers, 'worlds'>
  /** Checks a definition and replays its references. */
  readonly check: (definition: WorldDefinition) => Promise<CheckedWorld['tasks']>
  readonly progress: (done: number, total: number, message: string) => void
}

/** Worlds of a BFCL archive or a promptfoo configuration. What a task of BFCL expects is what its reference does when it is played. */
export async function importWorlds(
  { files = [], title = 'Imported', user_model, judge }: NewWorldDraft,
  { workers, check, progress }: ImportTools,
  signal: AbortSignal,
): Promise<DraftedWorld[]> {
  const sent = files.map(({ name, content }) => ({ name, bytes: Buffer.from(content, 'base64') }))
  const imported = await workers.worlds.importFiles(
    { title, files: sent, ...(user_model && { user_model }), ...(judge && { judge }) },
    signal,
  )
  if (typeof imported === 'string') throw invalidField(['body', 'files'], imported)
  const total = imported.worlds.reduce((sum, { definition }) => sum + definition.tasks.length, 0)
  let done = 0
  const worlds: DraftedWorld[] = []
  for (const { slug, definition, references } of imported.worlds) {
    const { tasks, ...played } = definition
    const left: LeftOut[] = []
    const kept: WorldDefinition['tasks'] = []
    for (const task of tasks) {
      progress(done++, total, `Playing references of ${definition.title}`)
      const reference = references.get(task.id)
      const expecting = reference ? await workers.worlds.expect({ definition: played, task, reference }, signal) : task
      if (typeof expecting === 'string') left.push({ id: null, name: task.id, reason: expecting })
      else kept.push(expecting)
    }
    const parsed = WorldDefinition.safeParse({ ...played, tasks: kept })
    if (!parsed.success) throw invalidField(['body', 'files'], `${definition.title}: ${parsed.error.issues[0]?.message ?? ''}`)
    const checked = await check(parsed.data)
    worlds.push({
      slug,
      definition: parsed.data,
      tasks: checked.map(each => ({ ...each, notes: [] })),
      replaced: { secrets: 0, personal: 0 },
      left_out: left,
    })
  }
  const [first] = worlds
  if (!first) throw invalidField(['body', 'files'], `hold nothing that can be played: ${imported.left.join('; ')}`)
  first.left_out.push(...imported.left.map(each => ({ id: null, name: each, reason: '' })))
  return worlds
}
