import type { DatasetRules } from '../../content/datasets/check-example.ts'
import { describeNames, withInput } from '../files/foreign/inspect-dataset.ts'
import { varsOfRow } from '../files/foreign/promptfoo-tests.ts'
import { otherNamesThan, presentField } from '../files/row-fields.ts'
import type { Row } from '../files/row.ts'
import { type ImportedExample, expectedOf, fitting, idOf, inputOf, restOf } from './example-row.ts'

/** Samples of Inspect. @param said told what the columns are called where they have no names of Inspect @throws RowError */
export function inspectExample(sent: Row, rules: DatasetRules, said: (warning: string) => void): ImportedExample {
  const { row, names } = withInput(sent)
  if (names) said(describeNames(names))
  return known(row, rules, { input: 'input', expected: 'target', id: 'id' })
}

/** Samples of OpenAI evals. @throws RowError */
export function openAiEvalsExample(row: Row, rules: DatasetRules): ImportedExample {
  return known(row, rules, { input: 'input', expected: 'ideal', id: 'id' })
}

/** A line of named fields; what is neither asked nor expected becomes metadata. */
function known(
  row: Row,
  rules: DatasetRules,
  fields: { readonly input: string; readonly expected: string; readonly id: string },
): ImportedExample {
  if (!Object.hasOwn(row.value, fields.input)) throw otherNamesThan(fields.input, row.value)
  const { metadata, ...rest } = restOf(row, [fields.input, fields.expected])
  const nested =
    typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? metadata : metadata === undefined ? {} : { metadata }
  return fitting(rules, {
    content: {
      input: inputOf(presentField(row, fields.input), fields.input),
      output: null,
      expected: expectedOf(row.value[fields.expected], fields.expected),
      metadata: { ...nested, ...rest },
    },
    labels: [],
    id: idOf(row, fields.id),
  })
}

/** Tests of promptfoo as a table: a column a variable; columns that begin with two underscores say what must hold of the answer. */
export function promptfooRow(row: Row, rules: DatasetRules): ImportedExample {
  const columns = Object.keys(row.value).filter(name => name.startsWith('__') && row.value[name] !== '' && row.value[name] !== null)
  const checks = columns.filter(name => /^__expected\d*$/.test(name))
  const only = checks.length === 1 && checks[0] !== undefined ? plainAnswer(row.value[checks[0]]) : null
  const kept = columns.filter(name => only === null || name !== checks[0])
  return fitting(rules, {
    content: {
      input: inputOf(varsOfRow(row), 'vars'),
      output: null,
      expected: only,
      metadata: Object.fromEntries(kept.map(name => [name, row.value[name]])),
    },
    labels: [],
    id: null,
  })
}

/** The answer where the one check is that the output equals a text; null where it is any other check. */
function plainAnswer(check: unknown): string | null {
  if (typeof check !== 'string') return null
  const equals = /^equals:\s*([\s\S]*)$/.exec(check)
  if (equals) return equals[1] ?? null
  return /^(?:not-)?[a-z]+(?:-[a-z0-9]+)*(?:\([\d.]+\))?:(?!\/\/)/.test(check) || /^(?:is|contains)-json$/.test(check) ? null : check
}

/** A test of promptfoo in YAML: its variables, and what it asserts as metadata. */
export function promptfooTest(row: Row, rules: DatasetRules): ImportedExample {
  const { vars, assert, ...rest } = row.value
  const assertions: unknown[] = Array.isArray(assert) ? assert : []
  const [first] = assertions
  const answer = assertions.length === 1 && isEquals(first) ? expectedOf(first.value, 'assert') : null
  const kept = answer === null && assertions.length > 0 ? { ...rest, assert: assertions } : rest
  return fitting(rules, {
    content: { input: inputOf(vars ?? {}, 'vars'), output: null, expected: answer, metadata: kept },
    labels: [],
    id: null,
  })
}

function isEquals(value: unknown): value is { readonly type: 'equals'; readonly value: unknown } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'equals' && 'value' in value
}
