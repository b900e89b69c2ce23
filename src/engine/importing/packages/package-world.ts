import type { PackageManifest } from '../../../contract/creator/manifest.schemas.ts'
import type { NewWorld, WorldTask } from '../../../contract/worlds/worlds.schemas.ts'
import { canonicalJson } from '../../content/benchmarks/content-digest.ts'
import type { ProfileDefinition } from '../../tasks/definition.ts'
import { worldTasks } from '../../tasks/world-task.ts'
import { RowError } from '../files/row.ts'
import { tasksFile, worldFile, worldOfFolder } from '../worlds/read-world-folder.ts'
import { worldBenchmark } from '../worlds/world-benchmark.ts'
import { PackageFault } from './package-fault.ts'
import type { PackageTask } from './package-task.ts'
import type { PackageTasks } from './read-package-tasks.ts'
import { sha256 } from './sha256.ts'

/** Folder of a package that holds its world, in the form of `assay world`. */
export const packagedWorld = 'world'

const inside = (path: string): string => `${packagedWorld}/${path}`

/** Megabytes of a world's tools and recordings, as of a request that makes an environment: they go to a thread with each play. */
const mostToolMb = 8

/** The world of a package. @throws PackageFault */
export function readWorld(contents: ReadonlyMap<string, Buffer>): NewWorld {
  const ofTools = [...contents].filter(([path]) => path.startsWith(inside('')) && path !== inside(tasksFile))
  const mb = ofTools.reduce((sum, [, content]) => sum + content.length, 0) / 2 ** 20
  if (mb > mostToolMb)
    throw new PackageFault(
      'manifest',
      `The files in ${inside('')} besides ${tasksFile} have ${mb.toFixed(1)} MB, and at most ${mostToolMb} are taken. Leave out recordings that no task needs.`,
    )
  try {
    const world = worldOfFolder({
      named: inside,
      has: path => contents.has(inside(path)),
      text: (path, place = '') => {
        const content = contents.get(inside(path))
        if (!content) throw new RowError(`${place}The package has no "${inside(path)}".`)
        return content.toString('utf8')
      },
    })
    const model = world.judge ? 'judge' : world.user_model ? 'user_model' : null
    if (model !== null)
      throw new RowError(
        `${inside(worldFile)} names a model as "${model}", and models belong to one workspace. Leave it out, with what it decides or plays.`,
      )
    return world
  } catch (error) {
    if (error instanceof RowError) throw new PackageFault('manifest', error.message)
    throw error
  }
}

/** What the world says in place of the manifest: its tasks’ file and how it is played and graded. */
export function worldParts(
  world: NewWorld,
  contents: ReadonlyMap<string, Buffer>,
): Pick<PackageManifest, 'splits' | 'fields' | 'profiles'> {
  const file = inside(tasksFile)
  return {
    splits: { test: { file, sha256: sha256(contents.get(file) ?? Buffer.alloc(0)) } },
    fields: { id: 'id', input: 'messages' },
    profiles: worldBenchmark(world).profiles.map(({ key, title, systemPrompt, generation, metrics }) => ({
      key,
      title,
      split: 'test' as const,
      prompt_template: '{input}',
      ...(systemPrompt !== null && { system_prompt: systemPrompt }),
      shots: 0,
      generation: { ...generation, stop: [...generation.stop] },
      metrics: metrics.map(({ id, title: name, scorer, options, primary, binary }) => ({
        id,
        title: name,
        scorer,
        options,
        primary,
        binary,
      })),
    })),
  }
}

/** Profiles of a package's world, whose family has the package's slug. */
export function worldProfiles(world: NewWorld, slug: string): readonly ProfileDefinition[] {
  return worldBenchmark({ ...world, slug }).profiles
}

export function readWorldTasks(world: NewWorld, text: string): PackageTasks {
  const lines = text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [i + 1]))
  const file = inside(tasksFile)
  const tasks = worldTasks(world)
  const places = new Map(tasks.map(({ id }, i) => [id, { file, line: lines[i] ?? 1 }]))
  return { tasks, problems: [], clusters: new Map(), places, media: [] }
}

/** A task of a world as the checks see it: what is said is its question, and the same words in another setting are another task. */
export function checkedWorldTask({ id, messages, user, initial_state: state, expected, reference }: WorldTask): PackageTask {
  const turns = user.kind === 'scripted' ? user.turns : []
  return {
    id,
    split: 'test',
    input: [...messages.map(({ content }) => content), ...turns].join('\n'),
    choices: null,
    correct: null,
    targets: expected.answer?.targets ?? [],
    reference: reference ? JSON.stringify(reference) : null,
    cluster: null,
    setting: canonicalJson({ state, expected }),
    media: [],
    others: [JSON.stringify({ state, expected })],
  }
}
