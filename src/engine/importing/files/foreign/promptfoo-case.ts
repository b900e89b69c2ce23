import { z } from 'zod'
import { ScorerConfigError } from '../../../grading/scorers/config-error.ts'
import { prepareAssertion } from '../../../grading/scorers/promptfoo/assertions.ts'
import { parseCsvRow } from '../../../grading/scorers/promptfoo/csv-row.ts'
import type { Task } from '../../../tasks/task.ts'
import { RowError } from '../row.ts'
import { type Judged, needsJudge, rubricOf } from './judged-assertions.ts'

/** An assertion as the scorer reads it. */
export interface CaseAssertion {
  readonly type: string
  readonly value?: unknown
  readonly threshold?: number | undefined
  readonly weight?: number | undefined
}

/** One test case, whether it stood in a line of CSV or in YAML. */
export interface PromptfooCase {
  readonly vars: Readonly<Record<string, unknown>>
  readonly assertions: readonly CaseAssertion[]
  readonly threshold?: number | undefined
  readonly prefix?: string | undefined
  readonly suffix?: string | undefined
  readonly description?: string | undefined
}

const Assertion = z.looseObject({
  type: z.string(),
  value: z.unknown().optional(),
  threshold: z.number().optional(),
  weight: z.number().min(0).optional(),
})

/** Parts of an assertion that would change what it says. */
const refusedParts = ['transform', 'contextTransform', 'config', 'rubricPrompt', 'assert']

/** @throws RowError naming the assertion that cannot be imported */
export function readAssertion(value: unknown): CaseAssertion {
  const parsed = Assertion.safeParse(value)
  if (!parsed.success) throw new RowError('An assertion must have a "type".')
  const part = refusedParts.find(name => parsed.data[name] !== undefined && parsed.data[name] !== null)
  if (part) throw new RowError(`The assertion "${parsed.data.type.slice(0, 60)}" has "${part}", which cannot be imported.`)
  const { type, value: wanted, threshold, weight } = parsed.data
  if (typeof wanted === 'string' && /^(?:file|package|https?):\/\//.test(wanted))
    throw new RowError(`The value of the assertion "${type.slice(0, 60)}" is a file, which cannot be imported.`)
  const assertion = { type, ...(wanted !== undefined && wanted !== null && { value: wanted }), threshold, weight }
  return needsJudge(type) ? assertion : checked(assertion)
}

/** @throws RowError */
export function checked(assertion: CaseAssertion): CaseAssertion {
  try {
    const { type, value, threshold } = assertion
    prepareAssertion({ type, value, threshold })
    return assertion
  } catch (error) {
    if (!(error instanceof ScorerConfigError)) throw error
    throw new RowError(`The assertion "${assertion.type.slice(0, 60)}" cannot be imported: ${error.message}`)
  }
}

/** The task of a case. @param fields the rendered prompt fields */
export function caseTask(
  id: string,
  asked: Pick<Task, 'fields' | 'conversations'>,
  { assertions: all, threshold }: PromptfooCase,
  judged: Judged,
): Task {
  if (all.length === 0) throw new RowError('The test has no assertion. Add "assert" to it, or leave it out.')
  const assertions = all.filter(({ type }) => !needsJudge(type))
  const forJudges = all.filter(({ type }) => needsJudge(type))
  const rubrics = forJudges.map(one => rubricOf(one, judged)).filter(rubric => rubric !== '')
  for (const type of new Set(forJudges.map(one => one.type))) judged.tests.set(type, (judged.tests.get(type) ?? 0) + 1)
  // What a judge compares with is one text.
  const targets = rubrics.length > 0 ? [rubrics.join('\n\n')] : targetsOf(assertions)
  return {
    id,
    split: 'test',
    ...asked,
    targets,
    choices: null,
    metadata: {
      assertions: assertions.map(({ type, value, threshold: own, weight }) => ({
        type,
        ...(value !== undefined && { value }),
        ...(own !== undefined && { threshold: own }),
        ...(weight !== undefined && { weight }),
      })),
      // promptfoo takes 0 for none.
      ...(threshold && { threshold }),
      reference_output: targets[0] ?? '',
    },
    capabilities: [],
    dependsOn: [],
  }
}

/** Texts that an assertion asks for, to be shown as reference answers; what is graded are the assertions. */
function targetsOf(assertions: readonly CaseAssertion[]): string[] {
  const { type, value: wanted } = assertions.find(one => /^i?(?:equals|contains|contains-any|starts-with)$/.test(one.type)) ?? { type: '' }
  // Its value was read as a row when it was checked.
  if (typeof wanted === 'string') return type.endsWith('-any') ? [...parseCsvRow(wanted)] : [wanted]
  if (typeof wanted === 'number') return [String(wanted)]
  return Array.isArray(wanted) ? wanted.filter(item => typeof item === 'string' || typeof item === 'number').map(String) : []
}
