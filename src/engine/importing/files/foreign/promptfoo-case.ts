import { z } from 'zod'
import { ScorerConfigError } from '../../../grading/scorers/config-error.ts'
import { assertions as knownAssertions, prepareAssertion } from '../../../grading/scorers/promptfoo/assertions.ts'
import { isSimilar, similarKey } from '../../../grading/embeddings/similar.ts'
import type { Script } from '../../../grading/scorers/promptfoo/case.ts'
import { parseCsvRow } from '../../../grading/scorers/promptfoo/csv-row.ts'
import type { Task } from '../../../tasks/task.ts'
import { compileTemplate, isTemplate, nunjucks } from '../../templates/template.ts'
import { TemplateError } from '../../templates/template-error.ts'
import { RowError } from '../row.ts'
import { type Judged, needsJudge, rubricOf } from './judged-assertions.ts'
import { isFilePath, isSettings, type SentFiles } from './promptfoo-files.ts'
import { readPython, readScript, type ScriptLanguage } from './promptfoo-script.ts'
import { ungraded } from './ungraded-assertions.ts'
import { endSentence } from '../../../../lib/format/end-sentence.ts'

/** An assertion as the scorer reads it; a set has `assert`. */
export interface CaseAssertion {
  readonly type: string
  readonly value?: unknown
  readonly threshold?: number | undefined
  readonly weight?: number | undefined
  /** What promptfoo reports its score under. */
  readonly metric?: string | undefined
  readonly script?: Script | undefined
  readonly transform?: Script | undefined
  readonly assert?: readonly CaseAssertion[] | undefined
}

/** One test case, whether a line of CSV or YAML has it. */
export interface PromptfooCase {
  readonly vars: Readonly<Record<string, unknown>>
  readonly assertions: readonly CaseAssertion[]
  /** The part of it that is not imported, and why. */
  readonly left: readonly string[]
  readonly threshold?: number | undefined
  readonly prefix?: string | undefined
  readonly suffix?: string | undefined
  readonly description?: string | undefined
  readonly transform?: Script | undefined
}

/** What an assertion may refer to. */
interface AssertionScope {
  readonly vars: Readonly<Record<string, unknown>>
  readonly files: SentFiles
  readonly language: ScriptLanguage
}

const Assertion = z.looseObject({
  type: z.string(),
  value: z.unknown().optional(),
  threshold: z.number().nullish(),
  weight: z.number().min(0).nullish(),
  metric: z.string().nullish(),
  transform: z.unknown().optional(),
  config: z.unknown().optional(),
  metricOnly: z.boolean().nullish(),
  assert: z.array(z.unknown()).optional(),
})

const setType = 'assert-set'
const scripted = /^(?:not-)?javascript$|^python$/
const measured = /^(?:not-)?(?:latency|cost)$/

/** Assertions that can be imported, and what is said of the others. */
export function readAssertions(values: readonly unknown[], scope: AssertionScope): Pick<PromptfooCase, 'assertions' | 'left'> {
  const assertions: CaseAssertion[] = []
  const left: string[] = []
  for (const value of values) {
    try {
      const read = readAssertion(value, scope)
      left.push(...read.left)
      assertions.push(read.assertion)
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      left.push(error.message)
    }
  }
  return { assertions, left }
}

interface ReadAssertion {
  readonly assertion: CaseAssertion
  readonly left: readonly string[]
}

/** @throws RowError naming the assertion that cannot be imported */
export function readAssertion(given: unknown, scope: AssertionScope): ReadAssertion {
  const parsed = Assertion.safeParse(given)
  if (!parsed.success) throw new RowError('An assertion must have a "type".')
  const { type } = parsed.data
  try {
    const data = parsed.data.metricOnly === true ? { ...parsed.data, weight: 0 } : parsed.data
    const { assertion, left } = type === setType ? readSet(data, scope) : { assertion: readLeaf(data, scope), left: [] }
    return { assertion: data.metric ? { ...assertion, metric: data.metric } : assertion, left }
  } catch (error) {
    if (!(error instanceof RowError || error instanceof ScorerConfigError)) throw error
    throw new RowError(`The assertion "${type.slice(0, 60)}" cannot be imported: ${endSentence(error.message)}`)
  }
}

function readSet({ assert = [], threshold, weight }: z.infer<typeof Assertion>, scope: AssertionScope): ReadAssertion {
  const { assertions, left } = readAssertions(assert, scope)
  const judgedPart = assertions.find(({ type }) => needsJudge(type))
  if (judgedPart)
    throw new RowError(
      `its "${judgedPart.type}" ${isSimilar(judgedPart.type) ? 'compares embeddings' : 'needs a judge'}, which a set cannot have here`,
    )
  if (assertions.length === 0) throw new RowError(left[0] ?? 'the set is empty')
  return { assertion: numbered({ type: setType, assert: assertions }, threshold, weight), left }
}

function readLeaf(parsed: z.infer<typeof Assertion>, scope: AssertionScope): CaseAssertion {
  const { type, value, threshold, weight, transform, config } = parsed
  const isScript = scripted.test(type)
  const refused = ['contextTransform', 'rubricPrompt', ...(isScript ? [] : ['config'])].find(name => parsed[name] != null)
  if (refused !== undefined) throw new RowError(`it has "${refused}"`)
  const changed = transform == null ? {} : { transform: readScript(transform, scope.files, scope.language) }
  if (isScript) {
    const read = type === 'python' ? readPython : readScript
    const script = read(isFilePath(value) ? value : rendered(value, scope.vars), scope.files, scope.language, config)
    return numbered({ type, script, ...changed }, threshold, weight)
  }
  if (typeof value === 'string' && value.startsWith('package:')) throw new RowError(`its value "${value.slice(0, 100)}" is a program`)
  const wanted = isFilePath(value) ? fileValue(value, scope.files) : rendered(value, scope.vars)
  const assertion = numbered({ type, ...(wanted !== undefined && wanted !== null && { value: wanted }), ...changed }, threshold, weight)
  if (measured.test(type)) {
    if (threshold == null) throw new RowError('it has no threshold, so it only records a figure')
  } else if (needsJudge(type)) rubricOf(assertion)
  else if (!Object.hasOwn(knownAssertions, type.replace(/^not-/, ''))) throw new RowError(ungraded(type))
  else prepareAssertion({ type, value: assertion.value, threshold: assertion.threshold })
  return assertion
}

/** promptfoo takes null for none. */
function numbered(assertion: CaseAssertion, threshold: number | null | undefined, weight: number | null | undefined): CaseAssertion {
  return { ...assertion, ...(threshold != null && { threshold }), ...(weight != null && { weight }) }
}

function fileValue(path: string, files: SentFiles): unknown {
  if (/\.(?:py|rb|[cm]?[jt]s)(?::\w+)?$/.test(path)) throw new RowError(`its value "${path.slice(0, 100)}" is a program`)
  return isSettings(path) ? files.settings(path) : files.text(path).trim()
}

/** Texts in a value with the variables of the test in them. @throws RowError */
function rendered(value: unknown, vars: PromptfooCase['vars']): unknown {
  if (Array.isArray(value)) return value.map(item => rendered(item, vars))
  // JSON, in which assertions are kept, has no infinity.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (typeof value !== 'string' || !isTemplate(value)) return value
  if (/\{[{%][^}]{0,2000}\benv\b/.test(value)) throw new RowError('it uses the environment, which is not known here')
  try {
    return compileTemplate(value, nunjucks).render(vars)
  } catch (error) {
    throw error instanceof TemplateError ? new RowError(error.message) : error
  }
}

/** The task of a case. @param asked the rendered prompt fields */
export function caseTask(
  id: string,
  asked: Pick<Task, 'fields' | 'conversations'>,
  { assertions: all, threshold, transform, vars, description }: PromptfooCase,
  judged: Judged,
): Task {
  const assertions = all.filter(({ type }) => !needsJudge(type))
  const forJudges = all.filter(({ type }) => needsJudge(type))
  const similar = forJudges.filter(({ type }) => isSimilar(type))
  const rubrics = forJudges
    .filter(one => !similar.includes(one))
    .map(rubricOf)
    .filter(rubric => rubric !== '')
  for (const type of new Set(forJudges.map(one => one.type))) judged.tests.set(type, (judged.tests.get(type) ?? 0) + 1)
  judged.bounded += forJudges.filter(one => (one.weight ?? 0) !== 0 || (one.threshold !== undefined && !isSimilar(one.type))).length
  // What a judge compares with is one text.
  const targets = rubrics.length > 0 ? [rubrics.join('\n\n')] : [...similar.map(rubricOf), ...targetsOf(assertions)]
  return {
    id,
    split: 'test',
    ...asked,
    targets,
    choices: null,
    metadata: {
      assertions,
      ...(similar.length > 0 && { [similarKey]: similar.map(({ type, value, threshold: least }) => ({ type, value, threshold: least })) }),
      ...(threshold !== undefined && { threshold }),
      ...(transform && { transform }),
      ...(hasScripts({ assertions, transform }) && {
        context: { vars, test: { vars, ...(description !== undefined && { description }) } },
      }),
      reference_output: targets[0] ?? '',
    },
    capabilities: [],
    dependsOn: [],
  }
}

/** Whether it, or one of its set, is about the time or the cost of an answer. */
export function isMeasured({ type, assert = [] }: CaseAssertion): boolean {
  return measured.test(type) || assert.some(isMeasured)
}

/** Whether it is graded by a script. */
export function hasScripts({ assertions, transform }: Pick<PromptfooCase, 'assertions' | 'transform'>): boolean {
  return (
    transform !== undefined ||
    assertions.some(one => one.script !== undefined || hasScripts({ assertions: one.assert ?? [], transform: one.transform }))
  )
}

/** Texts that an assertion asks for, to be shown as reference answers; what is graded are the assertions. */
function targetsOf(assertions: readonly CaseAssertion[]): string[] {
  const { type, value: wanted } = assertions.find(one => /^i?(?:equals|contains|contains-any|starts-with)$/.test(one.type)) ?? { type: '' }
  // Its value was read as a row when it was checked.
  if (typeof wanted === 'string') return type.endsWith('-any') ? [...parseCsvRow(wanted)] : [wanted]
  if (typeof wanted === 'number') return [String(wanted)]
  return Array.isArray(wanted) ? wanted.filter(item => typeof item === 'string' || typeof item === 'number').map(String) : []
}
