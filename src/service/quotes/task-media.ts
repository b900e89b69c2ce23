import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MediaFile } from '../../contract/media/media.schemas.ts'
import { isMediaPart, partsOf } from '../../contract/messages/messages.schemas.ts'
import type { MediaFacts } from '../../engine/clients/wire/media-limits.ts'
import type { Task } from '../../engine/tasks/task.ts'
import type { TaskShape } from '../../engine/tasks/task-shape.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import type { FrozenSelection } from './select-tasks.ts'

/** Tasks read in one turn of the event loop. */
const chunk = 50

/** The media of each task that has some, a part each; null for a file that is not stored. */
export async function taskMedia(
  { tasks }: Pick<FrozenSelection, 'tasks'>,
  shapes: readonly TaskShape[],
  catalog: Pick<Catalog, 'tasks'>,
  factsOf: (digests: readonly string[]) => ReadonlyMap<string, MediaFile>,
): Promise<(MediaFacts | null)[][]> {
  if (!shapes.some(({ parts }) => parts.some(part => /\/(?:image|audio|document)$/.test(part)))) return []
  const known = new Map<string, MediaFile | null>()
  const found: (MediaFacts | null)[][] = []
  for (let from = 0; from < tasks.length; from += chunk) {
    const digests = catalog.tasks(tasks.slice(from, from + chunk).map(({ no }) => no)).map(digestsIn)
    const unknown = [...new Set(digests.flat())].filter(digest => !known.has(digest))
    const facts = factsOf(unknown)
    for (const digest of unknown) known.set(digest, facts.get(digest) ?? null)
    for (const own of digests) if (own.length > 0) found.push(own.map(digest => known.get(digest) ?? null))
    await nextTurn()
  }
  return found
}

function digestsIn({ conversations, turns = [] }: Task): string[] {
  const messages = [...Object.values(conversations ?? {}).flat(), ...turns.map(content => ({ content }))]
  return messages
    .flatMap(partsOf)
    .filter(isMediaPart)
    .map(({ media }) => media)
}
