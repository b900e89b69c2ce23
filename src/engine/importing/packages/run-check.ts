import type { PackageCheck } from '../../../contract/creator/packages.schemas.ts'
import type { Task } from '../../tasks/task.ts'
import { checkAnswerPosition } from './checks/answer-position.ts'
import { agrees, computedChance, profileChance } from './checks/chance.ts'
import { checkHiddenCharacters, checkSecrets, type PackageText, textsOf } from './checks/content.ts'
import { checkExactDuplicates, checkOverlap } from './checks/duplicates.ts'
import { checkManifest } from './checks/manifest.ts'
import { checkNearDuplicates } from './checks/near-duplicates.ts'
import { checkSignature } from './checks/signature.ts'
import { checkTargetLeak } from './checks/target-leak.ts'
import type { OpenedPackage } from './open-package.ts'
import { checkResult, type CheckResult, type PackageTask } from './package-task.ts'
import { checkedWorldTask } from './package-world.ts'
import { manifestPath } from './read-manifest.ts'
import { checkedTask, readPackageTasks, type PackageTasks } from './read-package-tasks.ts'

/** The checks that run nothing: they look at the package alone. */
export const stillChecks = [
  'archive', 'manifest', 'signature', 'tasks', 'exact_duplicates', 'near_duplicates', 'overlap', 'target_leak', 'answer_position',
  'secrets', 'hidden_characters',
] as const satisfies readonly PackageCheck[] // biome-ignore format: a list of words
export type StillCheck = (typeof stillChecks)[number]

/** A package with its tasks, as every check sees it. */
export interface ReadPackage {
  readonly opened: OpenedPackage
  readonly read: PackageTasks
  readonly tasks: readonly PackageTask[]
  /** Chance of blind guessing at the tasks of a profile's split. */
  chanceOf(profile: OpenedPackage['manifest']['profiles'][number]): number
}

const noTasks: PackageTasks = { tasks: [], problems: [], clusters: new Map(), places: new Map(), media: [] }

export async function readPackage(opened: OpenedPackage): Promise<ReadPackage> {
  const isSound = checkManifest(opened).outcome !== 'fail'
  const read = isSound ? await readPackageTasks(opened) : noTasks
  const tasks =
    opened.world && isSound
      ? opened.world.tasks.map(checkedWorldTask)
      : read.tasks.map((task: Task) => checkedTask(task, read.clusters.get(task.id) ?? null))
  return {
    opened,
    read,
    tasks,
    chanceOf: profile =>
      profileChance(
        profile,
        tasks.filter(({ split }) => split === profile.split),
      ),
  }
}

/** What a check needs beside the package. */
export interface Surroundings {
  /** Of the namespace; null where it has none. */
  readonly publicKey: string | null
  /** Whether another source of the workspace has a task with this evened input. Made when it is needed. */
  knownElsewhere(): (evened: string) => boolean
}

export function runStillCheck(check: StillCheck, whole: ReadPackage, around: Surroundings): CheckResult {
  const { opened, tasks } = whole
  const { manifest } = opened
  const asked = tasks.filter(({ split }) => split === 'test')
  switch (check) {
    case 'archive':
      return checkResult('archive', 'pass', opened.isJson ? 'The package was sent as JSON.' : 'The archive is sound.', {
        files: opened.files.length,
        bytes: opened.bytes,
      })
    case 'manifest':
      return checkManifest(opened)
    case 'signature':
      return checkSignature(opened, around.publicKey).result
    case 'tasks':
      return checkTasks(whole, asked)
    case 'exact_duplicates':
      return checkExactDuplicates(tasks)
    case 'near_duplicates':
      return checkNearDuplicates(tasks)
    case 'overlap':
      return checkOverlap(asked, around.knownElsewhere(), manifest.derived_from.length > 0)
    case 'target_leak':
      return checkTargetLeak(asked, fixedTexts(opened, tasks), manifest.extractive)
    case 'answer_position':
      return checkAnswerPosition(asked)
    case 'secrets':
      return checkSecrets([...textsOf(tasks), ...promptTexts(opened), ...worldTexts(opened), ...assetTexts(opened)])
    case 'hidden_characters':
      return checkHiddenCharacters(
        [...textsOf(tasks), ...promptTexts(opened), ...worldTexts(opened)],
        assetTexts(opened, /^(?:image\/svg|text\/html|application\/xhtml|text\/xml|application\/xml)/),
      )
  }
}

function checkTasks({ opened, read: { problems }, chanceOf }: ReadPackage, asked: readonly PackageTask[]): CheckResult {
  const [count, chance] = [asked.length, computedChance(asked)]
  const figures = { tasks: count, problems: problems.length, chance }
  if (problems.length > 0) {
    const more = problems.length > 3 ? ` There are ${problems.length - 3} more.` : ''
    return checkResult('tasks', 'fail', `${problems.slice(0, 3).join(' ')}${more}`, figures)
  }
  const other = opened.manifest.profiles.find(one => one.chance_level !== undefined && !agrees(one.chance_level, chanceOf(one)))
  if (other)
    return checkResult(
      'tasks',
      'fail',
      `Profile "${other.key}" states a chance level of ${other.chance_level}, but blind guessing scores ${chanceOf(other).toFixed(3)}. Leave it out.`,
      figures,
    )
  if (count < 10) return checkResult('tasks', 'fail', `There are ${count} tasks in the test split, and at least 10 are needed.`, figures)
  if (count < 100) return checkResult('tasks', 'warn', `With ${count} tasks, intervals are wide; 100 and more are better.`, figures)
  return checkResult('tasks', 'pass', `All ${count} tasks can be read.`, figures)
}

/** What every prompt shares: templates and worked examples, and assets that are text. */
function fixedTexts(opened: OpenedPackage, tasks: readonly PackageTask[]): string[] {
  const { profiles } = opened.manifest
  const shots = Math.max(...profiles.map(profile => profile.shots))
  const shown = tasks.filter(({ split }) => split === 'canonical').slice(0, shots)
  return [...[...promptTexts(opened), ...assetTexts(opened)].map(({ text }) => text), ...shown.map(({ input }) => input)]
}

function promptTexts({ manifest }: OpenedPackage): PackageText[] {
  return [
    { place: manifestPath, isTask: false, text: manifest.profiles.flatMap(p => [p.prompt_template, p.system_prompt ?? '']).join('\n') },
  ]
}

/** Tools and recordings of a world, which no prompt holds. */
function worldTexts({ manifest: { world, splits }, files: present, read }: OpenedPackage): PackageText[] {
  const files = world?.files.filter(({ file }) => file !== splits.test.file && present.some(({ path }) => path === file)) ?? []
  return files.map(({ file }) => ({ place: file, isTask: false, text: read(file).toString('utf8') }))
}

function assetTexts(
  { manifest, read }: OpenedPackage,
  media = /^(?:text\/|image\/svg|application\/(?:json|xml|xhtml|javascript))/,
): PackageText[] {
  return manifest.assets.flatMap(({ path, media_type }) =>
    media.test(media_type) || /\.(?:svg|html?|xhtml|xml)$/i.test(path)
      ? [{ place: path, isTask: false, text: read(path).toString('utf8') }]
      : [],
  )
}
