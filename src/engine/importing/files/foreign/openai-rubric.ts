import { z } from 'zod'
import { formatNumber } from '../../../../lib/format/numbers.ts'
import { nameFew } from '../../../../lib/format/name-few.ts'
import { pythonText } from '../../templates/python-text.ts'
import type { YamlFile } from '../read-yaml.ts'
import type { Row } from '../row.ts'

/** Arguments of the class ModelBasedClassify of OpenAI evals. */
export const JudgedArgs = z.looseObject({
  modelgraded_spec: z.string().optional(),
  modelgraded_spec_args: z.record(z.string(), z.unknown()).nullish(),
  /** Answers to one prompt that are compared; "from_models" for one of each model. */
  multicomp_n: z.union([z.int(), z.string()]).default(1),
  /** Whether the judge is what is measured, by answers and verdicts that the samples hold. */
  metaeval: z.boolean().default(false),
})
type JudgedArgs = z.infer<typeof JudgedArgs>

/** An entry of `evals/registry/modelgraded`. */
const Graded = z.looseObject({
  prompt: z.string(),
  choice_strings: z.union([z.string(), z.array(z.string())]).optional(),
  choice_scores: z.union([z.string(), z.record(z.string(), z.number())]).optional(),
  /** The fields of a sample that are asked, each with the name of its answer in the prompt. */
  input_outputs: z.record(z.string(), z.string()).optional(),
})

/** What a model's grading compares with: a rubric, or the sample's own reference answer. */
export interface ModelGrading {
  readonly preset: string
  /** Of a sample; null where the judge compares with its reference answer. */
  readonly rubric: ((row: Row) => string) | null
  /** Name of the rubric where its YAML was not sent. */
  readonly missing?: string
  /** What is done otherwise here. */
  readonly notes: readonly string[]
}

/** Why a judge's grading cannot be imported, as in `"x" …`; null where it can. */
export function judgedRefusal(args: JudgedArgs, yaml: readonly YamlFile[]): string | null {
  if (args.multicomp_n !== 1)
    return `compares several answers to one prompt ("multicomp_n"); here each answer is graded by itself. ${instead}`
  const asked = Object.keys(gradedOf(args, yaml)?.input_outputs ?? {})
  const [name = 'input'] = asked
  if (asked.length > 1)
    return `asks ${nameFew(
      asked.map(one => `"${one.slice(0, 60)}"`),
      5,
    )} of each sample and compares the answers; here a sample has one question, "input". ${instead}`
  return name === 'input'
    ? null
    : `asks "${name.slice(0, 60)}" of each sample; here the question is "input". Rename it in the samples and in "input_outputs"`
}

const instead = 'Send its samples alone and choose a grader, or compare its answers as a ranking'

function gradedOf({ modelgraded_spec: spec = '' }: JudgedArgs, yaml: readonly YamlFile[]): z.infer<typeof Graded> | undefined {
  return yaml.flatMap(({ value }) => Graded.safeParse(z.record(z.string(), z.unknown()).safeParse(value).data?.[spec]).data ?? [])[0]
}

const mostCharacters = 20_000

/** The rubric of a judge with the arguments of its eval and the fields of each sample; what only the run gives is named. */
export function rubricOf(args: JudgedArgs, yaml: readonly YamlFile[]): ModelGrading {
  const { modelgraded_spec: spec = '', modelgraded_spec_args: given } = args
  const several = Object.values(given ?? {}).find(value => namedTexts(value).length > 1)
  const notes = [
    ...(several === undefined ? [] : [`One verdict is given on all ${namedTexts(several).length} of its criteria together.`]),
    ...(args.metaeval
      ? [
          'The eval checks a judge ("metaeval") by answers and verdicts in its samples. They are not used; the run asks a model and a judge grades its answers.',
        ]
      : []),
  ]
  if (spec === 'fact') return { preset: 'correctness', rubric: null, notes }
  const criteria = given?.['criteria']
  if (spec === 'closedqa' && criteria !== undefined) return { preset: 'test_rubric', rubric: () => argumentText(criteria), notes }
  const found = gradedOf(args, yaml)
  if (!found) return { preset: 'correctness', rubric: null, missing: spec, notes }
  const { prompt, choice_strings: choices } = found
  if (prompt.length > mostCharacters) notes.push(`The rubric is cut after ${formatNumber(mostCharacters)} characters.`)
  const numbersAnswers = typeof choices === 'string' && choices.startsWith('from_n')
  if (numbersAnswers) notes.push(`The choices ("${choices}") are the numbers of several answers and are left out.`)
  const menu = numbersAnswers ? '' : menuOf(found)
  const { input: answer = 'completion' } = found.input_outputs ?? {}
  const valueOf = (name: string, { value: row }: Row): string | undefined => {
    if (given && Object.hasOwn(given, name)) return argumentText(given[name])
    if (name === 'input' || name === answer) return name === answer ? '(the output)' : '(the input)'
    return row[name] === undefined ? undefined : pythonText(row[name])
  }
  // Once, as `str.format` does: what is filled in may hold braces.
  const filled = (row: Row) =>
    prompt.slice(0, mostCharacters).replaceAll(/\{(\w+)\}/g, (whole, name: string) => valueOf(name, row) ?? whole)
  return { preset: 'test_rubric', rubric: row => `${filled(row)}${menu}`, notes }
}

function menuOf({ choice_strings: choices, choice_scores: scores }: z.infer<typeof Graded>): string {
  if (choices === undefined) return ''
  const worth =
    typeof scores === 'object'
      ? ` Their scores: ${Object.entries(scores)
          .map(([choice, score]) => `${choice} ${score}`)
          .join(', ')}.`
      : scores === 'from_strings'
        ? ' Each is its own score.'
        : ''
  return `\n\nThe choices are ${(typeof choices === 'string' ? [...choices] : choices).join(', ')}.${worth}`
}

/** Texts of an argument by name, as an eval with several criteria gives them. */
function namedTexts(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}

function argumentText(value: unknown): string {
  const named = namedTexts(value)
  return named.length === 0 ? pythonText(value) : named.map(([, text]) => pythonText(text)).join('\n')
}
