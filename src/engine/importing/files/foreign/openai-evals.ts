import { nameFew } from '../../../../lib/format/name-few.ts'
import { unpackedName } from '../../../../lib/file-name.ts'
import { describeFirst } from '../../../../contract/describe-issue.ts'
import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import type { Metric } from '../../../../contract/catalog/benchmarks.schemas.ts'
import { ownBenchmark } from '../../../content/benchmarks/own-benchmark.ts'
import { prepareScorer, scorerById } from '../../../grading/scorers/registry.ts'
import { binaryMetric } from '../../../tasks/metric.ts'
import type { Task } from '../../../tasks/task.ts'
import type { MediaIntake } from '../../media/media-intake.ts'
import type { JudgedAssertion, OpenedOrder, OrderedFile } from '../import-order.ts'
import { sourceOf } from '../import-order.ts'
import { noShots } from '../import-tally.ts'
import { OrderFault, orderFault, reasonsOf } from '../order-fault.ts'
import { readYaml, type YamlFile } from '../read-yaml.ts'
import { type Row, RowError } from '../row.ts'
import { foreignTask, promptInput, targetTexts, taskId } from './foreign-task.ts'
import { JudgedArgs, judgedRefusal, type ModelGrading, rubricOf } from './openai-rubric.ts'

const format = { kind: 'jsonl' } as const

/** Classes of the registry that compare texts, and their scorers here. */
const comparing = ['Match', 'Includes', 'FuzzyMatch', 'JsonMatch', 'JsonValidator'] as const
type Comparing = (typeof comparing)[number]
/** The class whose verdicts a model gives. */
const judging = 'ModelBasedClassify'

const Spec = z.looseObject({ class: z.string(), args: z.record(z.string(), z.unknown()).nullish() })
const Alias = z.looseObject({ id: z.string() })
const Args = JudgedArgs.extend({
  samples_jsonl: z.string().optional(),
  few_shot_jsonl: z.string().nullish(),
  num_few_shot: z.int().min(0).default(0),
  ignore_case: z.boolean().default(false),
})
/** Arguments that change how a judge words its verdict, and nothing of what is imported. */
const immaterial = ['eval_type', 'match_fn']

/** An entry of the registry. */
interface Eval {
  /** As people call it. */
  readonly name: string
  readonly grader: string
  readonly args: z.infer<typeof Args>
  readonly file: YamlFile
  readonly line: number | null
  /** Why it cannot be imported, as in `"x" …`; null where it can. */
  readonly refusal: string | null
}

interface Own {
  readonly title: string
  readonly slug: string
  readonly leaveOut?: boolean | undefined
  /** The eval to take where the files hold several, or the class that grades samples that came alone. */
  readonly task?: string | undefined
}

/**
 * Samples of OpenAI evals, graded as their registry says: its YAML (`evals/registry/evals`), the samples that it names, and the YAML of a
 * model's grading (`evals/registry/modelgraded`) where there is one.
 * @throws OrderFault with the graders to choose from where the samples came alone
 */
export function openOpenAiEvals(own: Own, files: readonly OrderedFile[], intake: MediaIntake): OpenedOrder {
  const yaml = files.filter(({ name }) => /\.ya?ml$/i.test(name)).map(file => readYaml(file, true))
  const data = files.filter(({ name }) => !/\.ya?ml$/i.test(name))
  const [first, second] = data
  if (!first) throw orderFault(files[0]?.name ?? '', null, 'Send the samples (.jsonl) beside the registry’s YAML; they are not fetched.')
  const evals = yaml.flatMap(file => evalsIn(file, yaml))
  if (evals.length === 0) {
    if (second) throw orderFault(second.name, null, 'Send the registry’s YAML beside the samples: it says which file is of which eval.')
    return opened(own, first, chosenGrader(own, first), { intake, fewShot: [], graded: null })
  }
  const one = chosenEval(own, evals, data)
  const samples = data.find(file => isNamed(file, one.args.samples_jsonl ?? ''))
  if (!samples)
    throw orderFault(one.file.name, one.line, `Send "${one.args.samples_jsonl ?? 'samples.jsonl'}" beside the YAML; it is not fetched.`)
  const fewShot = fewShotOf(one, data)
  const graded = one.grader === judging ? rubricOf(one.args, yaml) : null
  const used = new Set([samples, ...data.filter(file => isNamed(file, one.args.few_shot_jsonl ?? ''))])
  const unused = data.filter(file => !used.has(file)).map(({ name }) => name)
  const order = opened(own, samples, one, { intake, fewShot, graded })
  const left = Object.keys(one.args).filter(key => !Object.hasOwn(Args.shape, key) && !immaterial.includes(key))
  const notes = [
    ...(unused.length === 0 ? [] : [`Not used by "${one.name}": ${nameFew(unused, 10)}.`]),
    ...(left.length === 0 ? [] : [`Settings of "${one.name}" that are not imported: ${nameFew(left, 10)}.`]),
  ]
  return { ...order, warnings: [...(order.warnings ?? []), ...notes] }
}

function evalsIn(file: YamlFile, yaml: readonly YamlFile[]): Eval[] {
  const entries = Object.entries(z.record(z.string(), z.unknown()).safeParse(file.value).data ?? {})
  const aliases = new Map(
    entries.flatMap(([name, value]): [string, string][] => {
      const alias = Alias.safeParse(value)
      return alias.success ? [[alias.data.id, name]] : []
    }),
  )
  return entries.flatMap(([id, value]): Eval[] => {
    const spec = Spec.safeParse(value)
    if (!spec.success) return []
    const line = file.lineOf(id)
    const args = Args.safeParse(spec.data.args ?? {})
    if (!args.success) throw orderFault(file.name, line, `Of the "args" of "${id}", ${describeFirst(args.error.issues, 'all')}.`)
    const grader = spec.data.class.split(':').at(-1) ?? ''
    return [{ name: aliases.get(id) ?? id, grader, args: args.data, file, line, refusal: refusalOf(grader, args.data, yaml) }]
  })
}

function refusalOf(grader: string, args: Eval['args'], yaml: readonly YamlFile[]): string | null {
  if (grader === judging) return judgedRefusal(args, yaml)
  return isComparing(grader)
    ? null
    : `is graded by the class "${grader.slice(0, 60)}", a program of its own. Import evals of ${comparing.join(', ')} and ${judging}; or send its samples alone and choose a grader`
}

function isNamed({ name }: OrderedFile, path: string): boolean {
  const base = path.split('/').at(-1) ?? ''
  return base !== '' && unpackedName(name.split('/').at(-1) ?? '') === unpackedName(base)
}

/** @throws OrderFault with the evals whose samples were sent, where there are several */
function chosenEval({ task }: Own, evals: readonly Eval[], data: readonly OrderedFile[]): Eval {
  const having = evals.filter(({ args }) => data.some(file => isNamed(file, args.samples_jsonl ?? '')))
  const meant = task === undefined ? having : evals.filter(({ name }) => name === task)
  const [only, other] = meant.filter(({ refusal }) => refusal === null)
  if (only && other === undefined) return only
  const [any] = evals
  const reasons = (of: readonly Eval[]) =>
    reasonsOf(
      of.flatMap(({ name, file, line, refusal }) =>
        refusal === null ? [] : [{ name, problem: { file: file.name, line, message: `"${name}" ${refusal}.` } }],
      ),
      any?.file.name ?? '',
    )
  if (!only && meant.length > 0) throw new OrderFault(reasons(meant))
  if (!only && task === undefined)
    throw orderFault(
      any?.file.name ?? '',
      any?.line ?? null,
      `Send the samples that the YAML names: ${nameFew([...new Set(evals.flatMap(({ args }) => args.samples_jsonl ?? []))], 10)}.`,
    )
  const listed = having.length > 0 ? having : evals
  const offered = listed.filter(({ refusal }) => refusal === null)
  const names = nameFew(
    offered.map(({ name }) => `"${name}"`),
    20,
  )
  throw new OrderFault(
    [{ file: listed[0]?.file.name ?? '', line: null, message: `Choose one as "task": ${names}.` }, ...reasons(listed)],
    offered.map(({ name }) => ({ name, kind: 'task' })),
  )
}

function isKnown(grader: string): boolean {
  return grader === judging || isComparing(grader)
}

function isComparing(grader: string): grader is Comparing {
  return comparing.some(one => one === grader)
}

type Grading = Pick<Eval, 'grader' | 'args'>

/** The grader of samples that came without their registry. @throws OrderFault that asks for it */
function chosenGrader({ task }: Own, file: OrderedFile): Grading {
  if (task !== undefined && isKnown(task)) return { grader: task, args: Args.parse({}) }
  throw new OrderFault(
    [
      {
        file: file.name,
        line: null,
        message: `Send the registry’s YAML beside the samples, or choose how they are graded as "task": ${[...comparing, judging].join(', ')}. The samples do not say it.`,
      },
    ],
    [...comparing, judging].map(name => ({ name, kind: 'grader' })),
  )
}

const ShotLine = z.looseObject({ sample: z.array(z.record(z.string(), z.unknown())).min(1) })
const mostShotBytes = 16 * 1024 * 1024

/** Messages that come before the last of every prompt. */
function fewShotOf({ name, args, file, line }: Eval, data: readonly OrderedFile[]): unknown[] {
  const { num_few_shot: count, few_shot_jsonl: path } = args
  if (count === 0) return []
  const shots = data.find(one => isNamed(one, path ?? ''))
  if (!shots)
    throw orderFault(
      file.name,
      line,
      `Send "${path ?? 'few_shot.jsonl'}" beside the samples: "${name}" shows ${count} worked examples from it.`,
    )
  if (statSync(shots.path).size > mostShotBytes)
    throw orderFault(shots.name, null, `Worked examples may have at most ${mostShotBytes} bytes.`)
  const lines = readFileSync(shots.path, 'utf8')
    .split('\n')
    .filter(text => text.trim() !== '')
  return lines.slice(0, count).flatMap((text, i) => {
    const parsed = ShotLine.safeParse(jsonOf(text))
    if (!parsed.success) throw orderFault(shots.name, i + 1, 'A worked example must have "sample", a list of messages.')
    return parsed.data.sample
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** How the prompts of an eval are read. */
interface Asked {
  readonly intake: MediaIntake
  /** Messages that come before the last of every prompt. */
  readonly fewShot: readonly unknown[]
  readonly graded: ModelGrading | null
}

function opened(own: Own, file: OrderedFile, grading: Grading, asked: Asked): OpenedOrder {
  const { graded } = asked
  let tasks = 0
  const isJudged = grading.grader === judging
  const read = (row: Row): Task => {
    const task = sampleTask(row, grading, asked)
    tasks = Math.max(tasks, row.position)
    return task
  }
  const metric = metricOf(grading)
  return {
    sources: [sourceOf(file, { format, holds: 'tasks', leaveOut: own.leaveOut ?? false, read })],
    shots: noShots,
    definedByFiles: true,
    warnings: [
      ...(isJudged ? ['A model grades these samples: choose an evaluator for runs. Without one they have no score.'] : []),
      ...(graded?.notes ?? []),
      ...(graded?.missing === undefined
        ? []
        : [
            `Send "${graded.missing.slice(0, 100)}.yaml" (evals/registry/modelgraded) as well for its rubric; without it an evaluator compares with "ideal".`,
          ]),
    ],
    judged: (): JudgedAssertion[] =>
      isJudged && tasks > 0 ? [{ assertion: judging, preset: graded?.preset ?? 'correctness', tasks }] : [],
    define: () => {
      const definition = ownBenchmark(own.title, own.slug, false)
      return {
        ...definition,
        summary: `Samples of OpenAI evals, graded by ${grading.grader}.`,
        description: `Samples of OpenAI evals that were imported under the name "${own.title}". ${isJudged ? 'A model grades them: choose an evaluator for runs.' : `They are graded as the class ${grading.grader} does.`}`,
        profiles: definition.profiles.map(profile => ({ ...profile, metrics: [metric] })),
      }
    },
  }
}

function metricOf({ grader, args }: Grading): Metric {
  if (!isComparing(grader))
    return binaryMetric('graded_by_evaluator', 'Graded by an evaluator', 'assay/recorded_score', {
      primary: true,
      options: { name: 'graded_by_evaluator' },
    })
  const scorer = `openai_evals/${grader}`
  const options = grader === 'Includes' && args.ignore_case ? { ignore_case: true } : {}
  prepareScorer({ scorer, options })
  const metric = binaryMetric(grader.toLowerCase(), grader, scorer, { primary: true, options })
  return { ...metric, scorer_version: scorerById(scorer).version }
}

function sampleTask(row: Row, { grader }: Grading, { intake, fewShot, graded }: Asked): Task {
  const id = taskId(row, 'id')
  const input = promptInput(fewShot.length === 0 ? row : withShots(row, fewShot), 'input', intake)
  if (grader === judging) {
    const rubric = graded?.rubric ?? null
    return foreignTask({ id, input, targets: rubric === null ? optionalTargets(row) : [rubric(row)] })
  }
  return foreignTask({ id, input, targets: grader === 'JsonValidator' ? optionalTargets(row) : jsonTargets(row, grader) })
}

/** Before the last message, as the class does. */
function withShots(row: Row, shots: readonly unknown[]): Row {
  const { input } = row.value
  if (!Array.isArray(input)) throw new RowError('Worked examples need an "input" of messages.')
  return { ...row, value: { ...row.value, input: [...input.slice(0, -1), ...shots, ...input.slice(-1)] } }
}

/** JsonMatch also takes objects, which it compares by their values. */
function jsonTargets(row: Row, grader: string): string[] {
  const { ideal } = row.value
  if (grader !== 'JsonMatch') return targetTexts(row, 'ideal')
  const list: readonly unknown[] = Array.isArray(ideal) ? ideal : [ideal]
  return list.every(one => typeof one === 'string')
    ? targetTexts(row, 'ideal')
    : list.map(one => (typeof one === 'string' ? one : JSON.stringify(one)))
}

function optionalTargets(row: Row): string[] {
  return row.value['ideal'] === undefined || row.value['ideal'] === null ? [] : targetTexts(row, 'ideal')
}
