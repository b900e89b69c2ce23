import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MediaFile } from '../../contract/media/media.schemas.ts'
import { isMediaPart, type MediaPart, partsOf } from '../../contract/messages/messages.schemas.ts'
import type { Task } from '../../engine/tasks/task.ts'
import type { TaskShape } from '../../engine/tasks/task-shape.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import type { MediaOfTasks, ShownFile } from './count-files.ts'
import type { FrozenSelection } from './select-tasks.ts'

/** Tasks read in one turn of the event loop. */
const chunk = 50

/** The media of each task that has some, a part each; null for a file that is not stored. */
export async function taskMedia(
  { tasks }: Pick<FrozenSelection, 'tasks'>,
  shapes: readonly TaskShape[],
  catalog: Pick<Catalog, 'tasks'>,
  factsOf: (digests: readonly string[]) => ReadonlyMap<string, MediaFile>,
): Promise<MediaOfTasks> {
  if (!shapes.some(({ parts }) => parts.some(part => /\/(?:image|audio|document)$/.test(part)))) return []
  const known = new Map<string, MediaFile | null>()
  const found: MediaOfTasks[number][] = []
  for (let from = 0; from < tasks.length; from += chunk) {
    const shown = catalog.tasks(tasks.slice(from, from + chunk).map(({ no }) => no)).map(filesOf)
    const unknown = [...new Set(shown.flat().map(({ part }) => part.media))].filter(digest => !known.has(digest))
    const facts = factsOf(unknown)
    for (const digest of unknown) known.set(digest, facts.get(digest) ?? null)
    for (const own of shown) if (own.length > 0) found.push(own.map(one => factsAs(one, known.get(one.part.media) ?? null)))
    await nextTurn()
  }
  return found
}

interface TaskFile {
  readonly part: MediaPart
  readonly calls: number
}

/** The prompt of each scripted turn has the files of the turns before it, too. */
function filesOf({ conversations, turns = [] }: Task): TaskFile[] {
  const opening = Object.values(conversations ?? {}).flat()
  const messages = [
    ...opening.map(({ content }) => ({ content, calls: turns.length + 1 })),
    ...turns.map((content, i) => ({ content, calls: turns.length - i })),
  ]
  return messages.flatMap(({ content, calls }) =>
    partsOf({ content })
      .filter(isMediaPart)
      .map(part => ({ part, calls })),
  )
}

/** A file with what the part that shows it asks for. */
function factsAs({ part, calls }: TaskFile, file: MediaFile | null): ShownFile | null {
  return file && { ...file, calls, ...(part.type === 'image' && part.detail && { detail: part.detail }) }
}
