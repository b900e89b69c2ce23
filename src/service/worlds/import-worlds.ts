import { invalidField } from '../../contract/errors.ts'
import { draftedLimits, type NewWorldDraft, oversizeFault } from '../../contract/worlds/drafts.schemas.ts'
import type { CheckedWorld, DraftedWorld, LeftOut } from '../../contract/worlds/play.schemas.ts'
import { WorldDefinition } from '../../contract/worlds/worlds.schemas.ts'
import type { Workers } from '../../workers/pool.ts'
import { within } from './world-fault.ts'

interface ImportTools {
  readonly workers: Pick<Workers, 'worlds'>
  /** Checks a definition and replays its references. */
  readonly check: (definition: WorldDefinition, replayed: (done: number) => void) => Promise<CheckedWorld['tasks']>
  readonly progress: (done: number, total: number, message: string) => void
}

/** Worlds of files. What a task of BFCL expects is what its reference does when it is played. */
export async function importWorlds(
  { files = [], title = 'Imported', user_model, judge }: NewWorldDraft,
  { workers, check, progress }: ImportTools,
  signal: AbortSignal,
): Promise<DraftedWorld[]> {
  const sent = files.map(({ name, content }) => ({ name, bytes: Buffer.from(content, 'base64') }))
  const roles = { ...(user_model && { user_model }), ...(judge && { judge }) }
  const imported = await within(['files'], () => workers.worlds.importFiles({ title, files: sent, ...roles }, signal))
  if (typeof imported === 'string') throw invalidField(['body', 'files'], imported)
  // Each is played once for what it expects, and once to see whether it passes.
  const total = 2 * imported.worlds.reduce((sum, { definition }) => sum + definition.tasks.length, 0)
  let [done, planned, together] = [0, 0, 0]
  const worlds: DraftedWorld[] = []
  const leftOfAll: LeftOut[] = [...imported.left]
  for (const { slug, definition, references, notes, replaced } of imported.worlds) {
    const { tasks, ...played } = definition
    // Of one that is left out, not everything was played.
    done = planned
    planned += 2 * tasks.length
    const left: LeftOut[] = []
    const kept: WorldDefinition['tasks'] = []
    let size = Buffer.byteLength(JSON.stringify(played))
    for (const task of tasks) {
      progress(done++, total, `Playing references of ${definition.title}`)
      const reference = references.get(task.id)
      const expecting = reference
        ? await within(['files'], () => workers.worlds.expect({ definition: played, task, reference }, signal))
        : task
      if (typeof expecting === 'string') left.push({ id: null, name: task.id, reason: expecting })
      else kept.push(expecting)
      // What is expected was played, and may be larger than what was sent.
      size += typeof expecting === 'string' ? 0 : Buffer.byteLength(JSON.stringify(expecting))
      if (size > draftedLimits.world) break
    }
    const oversize = oversizeFault(size, together)
    if (oversize !== null) {
      leftOfAll.push({ id: null, name: definition.title, reason: oversize })
      continue
    }
    together += size
    if (kept.length === 0) {
      leftOfAll.push({ id: null, name: definition.title, reason: 'has no task that can be played.' }, ...left)
      continue
    }
    const parsed = WorldDefinition.safeParse({ ...played, tasks: kept })
    if (!parsed.success) throw invalidField(['body', 'files'], `${definition.title}: ${parsed.error.issues[0]?.message ?? ''}`)
    const before = done
    const checked = await check(parsed.data, replayed => progress(before + replayed, total, `Replaying references of ${definition.title}`))
    worlds.push({
      slug: unusedSlug(slug, worlds),
      definition: parsed.data,
      tasks: checked.map(each => ({ ...each, notes: [...(notes?.get(each.task_id) ?? [])] })),
      replaced: replaced ?? null,
      left_out: left,
    })
  }
  progress(total, total, 'Replayed all references')
  const [first] = worlds
  if (!first)
    throw invalidField(
      ['body', 'files'],
      `hold nothing that can be played: ${leftOfAll.map(({ name, reason }) => `${name} ${reason}`.trim()).join('; ')}`.slice(0, 2_000),
    )
  for (const each of leftOfAll) first.left_out.push(each)
  return worlds
}

/** What a slug is cut to may be that of another world of the files. */
function unusedSlug(slug: string, worlds: readonly DraftedWorld[]): string {
  const taken = new Set(worlds.map(each => each.slug))
  for (let no = 1; ; no++) {
    const tried = no === 1 ? slug : `${slug.slice(0, 56)}-${no}`
    if (!taken.has(tried)) return tried
  }
}
