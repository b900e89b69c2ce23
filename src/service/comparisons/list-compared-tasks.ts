import { setImmediate } from 'node:timers/promises'
import { type ComparedTask, type Comparison, type TaskChange, taskChanges } from '../../contract/comparisons/comparisons.schemas.ts'
import { invalidField } from '../../contract/errors.ts'
import type { AlignedTasks } from '../../engine/reporting/comparisons/aligned-tasks.ts'
import { toComparedTask } from '../../engine/reporting/comparisons/compared-task.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'
import { sampleId } from '../../storage/sample-id.ts'
import { matchingTasks } from './comparisons.store.ts'

/** Tasks whose texts are looked up in one go: few enough not to delay the response. */
const chunk = 500

export interface ComparedTasksQuery extends PageQuery {
  readonly contender_id?: string | undefined
  readonly change?: TaskChange | undefined
  readonly profile?: string | undefined
  readonly capability?: string | undefined
  readonly breakdown?: string | undefined
  readonly breakdown_value?: string | undefined
  readonly q: string
}

/** A page of aligned tasks. Columns decide first, texts are looked up for what is left. */
export async function listComparedTasks(db: Database, comparison: Comparison, tasks: AlignedTasks, query: ComparedTasksQuery) {
  const { cursor, limit, ...filters } = query
  const listing: Listing = { endpoint: 'listComparedTasks', filters: { comparison: comparison.id, ...filters } }
  const from = cursor === undefined ? 0 : Number(decodeCursor(listing, cursor, 1)[0]) + 1
  const wanted = columnFilter(comparison, tasks, query)
  const found: ComparedTask[] = []
  for (let next = from; next < tasks.count && found.length <= limit; ) {
    const positions: number[] = []
    for (; next < tasks.count && positions.length < chunk; next++) if (wanted(next)) positions.push(next)
    const texts = matchingTasks(
      db,
      positions.map(position => tasks.taskNo[position] ?? 0),
      query,
    )
    for (const position of positions) {
      const text = texts.get(tasks.taskNo[position] ?? 0)
      if (text) found.push(toComparedTask(comparison, tasks, position, text, sampleId))
      if (found.length > limit) break
    }
    await setImmediate()
  }
  return toPage(
    found,
    limit,
    listing,
    task => [task.position],
    task => task,
  )
}

function columnFilter(
  comparison: Comparison,
  tasks: AlignedTasks,
  { contender_id, change, profile }: ComparedTasksQuery,
): (position: number) => boolean {
  const contenders = comparison.runs.filter(run => !run.baseline)
  const contender = contender_id === undefined ? 0 : contenders.findIndex(run => run.id === contender_id.toLowerCase())
  if (contender < 0) throw invalidField(['query', 'contender_id'], `must be one of ${contenders.map(run => run.id).join(', ')}`)
  const changes = tasks.changes[contender]
  const code = change === undefined ? null : taskChanges.indexOf(change)
  const profileNo = profile === undefined ? null : comparison.profiles.findIndex(candidate => candidate.profile_id === profile)
  return position => (code === null || changes?.[position] === code) && (profileNo === null || tasks.profile[position] === profileNo)
}
