import { answerAsBaseline, majorityTarget } from '../engine/execution/baselines/answer-as-baseline.ts'
import { turnsOf } from '../engine/execution/samples/turns-of.ts'
import { renderPrompt } from '../engine/execution/samples/render-prompt.ts'
import type { ScoreInput } from '../engine/grading/scorers/scorer.ts'
import { packageBenchmark } from '../engine/importing/packages/package-benchmark.ts'
import { shotsOf } from '../engine/importing/packages/read-package-tasks.ts'
import type { ReadPackage } from '../engine/importing/packages/run-check.ts'
import { sha256 } from '../engine/importing/packages/sha256.ts'
import type { Task } from '../engine/tasks/task.ts'
import type { Turn } from '../engine/clients/model-client.ts'
import type { AnswerKind, PackageAnswers, PackageTask } from './packages-task.ts'

type Asked<Kind extends PackageTask['kind']> = Extract<PackageTask, { readonly kind: Kind }>

/** A profile and the tasks of its split. */
function profileOf({ opened, read }: ReadPackage, place: number) {
  const profile = packageBenchmark(opened, () => null).profiles[place]
  if (!profile) throw new RangeError('The package has no such profile.')
  return { profile, tasks: read.tasks.filter(({ split }) => split === profile.split) }
}

/** Tasks as a profile shows them. Those without ids are chosen by digest. */
export function sampleOf(read: ReadPackage, { profile: place, chosen }: Asked<'sample'>): PackageAnswers['sample'] {
  const { profile, tasks } = profileOf(read, place)
  const { world } = read.opened
  const { systemPrompt, promptTemplate, shotTemplate, shots } = profile
  const recipe = { systemPrompt, promptTemplate, shotTemplate, shots: shotsOf(read.read.tasks).slice(0, shots) }
  const shown = 'ids' in chosen ? named(read.read.tasks, chosen.ids) : sampled(tasks, chosen)
  return {
    total: 'ids' in chosen ? shown.length : tasks.length,
    items: shown.map(task => {
      const { id, split, targets } = task
      const reference = world ? world.tasks.find(one => one.id === id)?.reference : task.metadata['reference_output']
      const prompt = renderPrompt(recipe, task)
      const place = read.read.places.get(id) ?? { file: '', line: 1 }
      return {
        task: {
          id,
          split,
          ...place,
          messages: prompt,
          targets: [...targets],
          reference: typeof reference === 'string' ? reference : reference ? JSON.stringify(reference, null, 2) : null,
        },
        reference: world ? null : inputOf(task, answerTo(task, 'reference', turnsOf(prompt), null)),
      }
    }),
  }
}

/** In the order of the ids, each once: of an id that is used twice, the last task has its place. */
function named(tasks: readonly Task[], ids: readonly string[]): Task[] {
  const byId = new Map(tasks.map(task => [task.id, task]))
  return [...new Set(ids)].flatMap(id => byId.get(id) ?? [])
}

function sampled(tasks: readonly Task[], { count, seed }: { readonly count: number; readonly seed: number }): Task[] {
  return tasks
    .map(task => ({ task, rank: sha256(Buffer.from(`${seed} ${task.id}`)) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ task }) => task)
}

/** A strategy's answer to each task of a profile's split, for the scorers; null where it has none. */
export function answersOf(read: ReadPackage, { profile: place, answer, from, count }: Asked<'answers'>): PackageAnswers['answers'] {
  const { profile, tasks } = profileOf(read, place)
  const { systemPrompt, promptTemplate } = profile
  const majority = answer === 'majority' ? majorityTarget(tasks) : null
  const inputs = tasks.slice(from, from + count).map(task => {
    const prompt = renderPrompt({ systemPrompt, promptTemplate, shotTemplate: null, shots: [] }, task)
    return { id: task.id, input: inputOf(task, answerTo(task, answer, turnsOf(prompt), majority)) }
  })
  return { inputs, total: tasks.length }
}

function inputOf({ targets, choices, metadata }: Task, output: string | null): ScoreInput | null {
  return output === null ? null : { output, targets, ...(choices ? { choices } : {}), metadata }
}

/** Null where a task has nothing to answer with: no target to guess at, or no right answer. */
function answerTo(task: Task, answer: AnswerKind, prompt: readonly Turn[], majority: string | null): string | null {
  const routed = (route: string, asked = task) =>
    answerAsBaseline(route, { task: asked, prompt, seed: 1, epoch: 1, majorityTarget: majority })
  const isOpen = task.targets.length === 0
  const isSolved = typeof task.metadata['reference_output'] === 'string'
  switch (answer) {
    case 'empty':
      return ''
    case 'echo':
      return routed('assay/echo')
    case 'reference':
      return isSolved || !isOpen ? routed('assay/oracle-100') : null
    case 'target':
      return isSolved && !isOpen ? routed('assay/oracle-100', withoutSolution(task)) : null
    case 'first':
      return isOpen ? null : routed('assay/first-option')
    case 'random':
      return isOpen ? null : routed('assay/random')
    case 'majority':
      return isOpen ? null : routed('assay/majority')
  }
}

function withoutSolution(task: Task): Task {
  const { reference_output: _, ...metadata } = task.metadata
  return { ...task, metadata }
}
