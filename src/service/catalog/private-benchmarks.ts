import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { canonicalJson, ContentDigest } from '../../engine/content/benchmarks/content-digest.ts'
import { type BenchmarkDefinition, facetNames } from '../../engine/tasks/definition.ts'
import { profileId, sourceRef } from '../../engine/content/benchmarks/source-ref.ts'
import type { Shot, Task } from '../../engine/tasks/task.ts'
import type { Database } from '../../storage/database.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { addTasks, beginVersion, dropStaging, findOwnVersion, finishVersion } from './versions.store.ts'

export interface NewPrivateBenchmark {
  readonly definition: BenchmarkDefinition
  /** In their final order; ids unique. */
  readonly tasks: readonly Task[]
  readonly shots: readonly Shot[]
  /** Made from definition and content when absent, so that the same benchmark is made once. */
  readonly version?: string
}

export interface PrivateBenchmark {
  readonly slug: string
  readonly version: string
  readonly sourceRef: string
  /** In the order of the definition's profiles. */
  readonly profileIds: readonly string[]
  /** False where the workspace had this very version already. */
  readonly created: boolean
}

/** Tasks between two turns of the event loop, and their characters, of which a task may have millions: about 5 ms. */
const [batch, batchCharacters] = [200, 500_000]

/**
 * Makes a benchmark version that only one workspace sees, from content that a feature already holds (frozen examples, tuning cases, a
 * package). Its tasks are staged in small batches; one last transaction makes it visible together with what `commit` writes.
 * @param commit the caller's own writes that belong to it; not called when anything before it fails
 * @throws RangeError when the version's name is taken by other content
 */
export async function createPrivateBenchmark(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  workspaceId: string,
  benchmark: NewPrivateBenchmark,
  commit: (made: PrivateBenchmark) => void,
): Promise<PrivateBenchmark> {
  const key = `${workspaceId}/${benchmark.definition.slug}`
  const inDatabase = beingMade.get(db) ?? new Map<string, Promise<unknown>>()
  beingMade.set(db, inDatabase)
  const before = inDatabase.get(key)
  const made = (async () => {
    await before?.catch(() => {})
    return await make({ db, clock }, workspaceId, benchmark, commit)
  })()
  inDatabase.set(key, made)
  try {
    return await made
  } finally {
    if (inDatabase.get(key) === made) inDatabase.delete(key)
  }
}

/** The last benchmark begun of each slug: a staged version has its name already, so the same one is made by one caller and found by the next. */
const beingMade = new WeakMap<Database, Map<string, Promise<unknown>>>()

async function make(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  workspaceId: string,
  { definition, tasks, shots, ...given }: NewPrivateBenchmark,
  commit: (made: PrivateBenchmark) => void,
): Promise<PrivateBenchmark> {
  const { slug, provider, name, profiles } = definition
  const { digest, batches } = await digestOf(tasks, shots)
  const version = given.version ?? createHash('sha256').update(canonicalJson(definition)).update(digest).digest('hex').slice(0, 12)
  const made: PrivateBenchmark = {
    slug,
    version,
    sourceRef: sourceRef(provider, name, version),
    profileIds: profiles.map(({ key }) => profileId(slug, version, key)),
    created: true,
  }
  if (findOwnVersion(db, workspaceId, slug, { version })) {
    if (given.version !== undefined && findOwnVersion(db, workspaceId, slug, { digest })?.sourceRef !== made.sourceRef)
      throw new RangeError(`${slug} already has a version "${version}" with other content, and versions never change.`)
    const present = { ...made, created: false }
    db.transaction(() => commit(present))
    return present
  }
  // A definition may have megabytes, and has just been digested.
  await turn()
  const versionNo = beginVersion(db, {
    workspaceId,
    origin: 'imported',
    definition,
    content: { version, shots },
    digest,
    taskCount: tasks.length,
    files: [],
    createdAt: timestamp(clock),
  })
  try {
    const facets = facetNames(definition)
    for (const { from, to } of batches) {
      addTasks(db, versionNo, tasks.slice(from, to), from, facets)
      await turn()
    }
    db.transaction(() => {
      finishVersion(db, versionNo)
      commit(made)
    })
  } catch (error) {
    dropStaging(db, versionNo)
    throw error
  }
  return made
}

interface Batch {
  readonly from: number
  readonly to: number
}

/** Also the tasks in parts of which each is written at once. */
async function digestOf(
  tasks: readonly Task[],
  shots: readonly Shot[],
): Promise<{ readonly digest: string; readonly batches: readonly Batch[] }> {
  const digest = new ContentDigest()
  const batches: Batch[] = []
  let [from, characters] = [0, 0]
  for (const [i, task] of tasks.entries()) {
    characters += digest.add(task)
    const to = i + 1
    if (to < tasks.length && to - from < batch && characters < batchCharacters) continue
    batches.push({ from, to })
    ;[from, characters] = [to, 0]
    await turn()
  }
  return { digest: digest.of(shots), batches }
}
