import { parse } from 'yaml'
import { z } from 'zod'
import { ScorerConfigError } from '../config-error.ts'
import { compileSchema } from '../text/json-schema.ts'
import { sameJson } from '../text/json-text.ts'
import { firstMatch } from '../patterns/pattern.ts'
import { userPattern } from '../patterns/user-pattern.ts'
import { editDistance } from '../text/edit-distance.ts'
import { promptfooBleu } from './bleu.ts'
import { parseCsvRow } from './csv-row.ts'
import { promptfooGleu } from './gleu.ts'
import { TooMalformedError } from './json-blocks.ts'
import { jsonObjects } from './json-objects.ts'
import { toolNames } from './tool-names.ts'
import { messageOf } from '../../../../lib/message-of.ts'
import { isObject, jsonIn } from '../../../../lib/json-value.ts'

export interface Assertion {
  readonly value: unknown
  readonly threshold: number | undefined
}

/** What an assertion says of an output. `score` is in [0, 1]. */
export interface AssertionResult {
  readonly pass: boolean
  readonly score: number
  /** What the negated assertion says, where that is not simply the opposite. */
  readonly negated?: Omit<AssertionResult, 'negated'>
}

type Check = (output: string) => AssertionResult

/** promptfoo's deterministic assertions by type, without their `not-` forms. Each throws ScorerConfigError for a value it cannot use. */
export const assertions: Readonly<Record<string, (assertion: Assertion) => Check>> = {
  equals:
    ({ value }) =>
    output =>
      passOrFail(isEqual(output, value)),
  contains: ({ value }) => {
    const wanted = textOrNumber(value, 'contains')
    return output => passOrFail(output.includes(wanted))
  },
  icontains: ({ value }) => {
    const wanted = textOrNumber(value, 'icontains').toLowerCase()
    return output => passOrFail(output.toLowerCase().includes(wanted))
  },
  'contains-any': ({ value }) => {
    const wanted = textList(value, 'contains-any')
    return output => passOrFail(wanted.some(text => output.includes(text)))
  },
  'icontains-any': ({ value }) => {
    const wanted = textList(value, 'icontains-any').map(text => text.toLowerCase())
    return output => passOrFail(wanted.some(text => output.toLowerCase().includes(text)))
  },
  'contains-all': ({ value }) => {
    const wanted = textList(value, 'contains-all')
    return output => passOrFail(wanted.every(text => output.includes(text)))
  },
  'icontains-all': ({ value }) => {
    const wanted = textList(value, 'icontains-all').map(text => text.toLowerCase())
    return output => passOrFail(wanted.every(text => output.toLowerCase().includes(text)))
  },
  'starts-with': ({ value }) => {
    const wanted = textOrNumber(value, 'starts-with')
    return output => passOrFail(output.startsWith(wanted))
  },
  regex: ({ value }) => {
    const pattern = userPattern(use(z.string().min(1), value, 'regex', 'a pattern'))
    return output => passOrFail(firstMatch(pattern, output) !== null)
  },
  'is-json': ({ value }) => {
    const isValid = schemaCheck(value, 'is-json')
    return output => passOrFail(isValid(jsonIn(output)))
  },
  'contains-json': ({ value }) => {
    const isValid = schemaCheck(value, 'contains-json')
    return output => passOrFail([...jsonObjects(output)].some(isValid))
  },
  levenshtein: ({ value, threshold = 5 }) => {
    const wanted = use(z.string(), value, 'levenshtein', 'a text')
    return output => passOrFail(editDistance(output, wanted) <= threshold)
  },
  'word-count': ({ value }) => {
    const { min, max } = use(wordCount, value, 'word-count', 'a number or an object with min, max or both')
    return output => {
      const count = output.trim() === '' ? 0 : output.trim().split(/\s+/).length
      return passOrFail(count >= min && count <= max)
    }
  },
  bleu: assertion => overlap('bleu', promptfooBleu, assertion),
  gleu: assertion => overlap('gleu', promptfooGleu, assertion),
  'tool-call-f1': ({ value, threshold = 1 }) => {
    const list = use(
      z.union([z.string().transform(text => text.split(',')), z.array(z.string())]),
      value,
      'tool-call-f1',
      'a list of tool names',
    )
    const expected = new Set(list.map(name => name.trim()).filter(name => name !== ''))
    if (expected.size === 0) throw new ScorerConfigError('The value of tool-call-f1 must name a tool.')
    return output => {
      try {
        const score = setF1(toolNames(output), expected)
        // Negated, the score stays the F1.
        return { pass: score >= threshold, score, negated: { pass: score < threshold, score } }
      } catch (error) {
        if (!(error instanceof TooMalformedError)) throw error
        return { pass: false, score: 0, negated: { pass: false, score: 0 } }
      }
    }
  },
}

/** An assertion with or without its `not-`. @throws ScorerConfigError for a type that is not known, or a value it cannot use */
export function prepareAssertion({ type, ...assertion }: Assertion & { readonly type: string }): Check {
  const isInverse = type.startsWith('not-')
  const name = isInverse ? type.slice(4) : type
  const make = Object.hasOwn(assertions, name) ? assertions[name] : undefined
  if (!make)
    throw new ScorerConfigError(`There is no assertion "${type.slice(0, 60)}" here; there are ${Object.keys(assertions).join(', ')}.`)
  const check = make(assertion)
  return isInverse ? output => inverse(check(output)) : check
}

export function inverse({ pass, score, negated }: AssertionResult): AssertionResult {
  return negated ?? { pass: !pass, score: 1 - score }
}

const wordCount = z.union([
  z.number().transform(count => ({ min: count, max: count })),
  // A variable that was filled in is text.
  z
    .string()
    .refine(text => text.trim() !== '' && Number.isFinite(Number(text)))
    .transform(text => ({ min: Number(text), max: Number(text) })),
  z
    .strictObject({ min: z.number().optional(), max: z.number().optional() })
    .refine(({ min, max }) => min !== undefined || max !== undefined)
    .refine(({ min = 0, max = Infinity }) => min <= max)
    .transform(({ min = 0, max = Infinity }) => ({ min, max })),
])

function use<Value>(schema: z.ZodType<Value>, value: unknown, type: string, wanted: string): Value {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new ScorerConfigError(`The value of ${type} must be ${wanted}, not ${JSON.stringify(value) ?? 'missing'}.`)
  return parsed.data
}

function textOrNumber(value: unknown, type: string): string {
  return String(use(z.union([z.string().min(1), z.number()]), value, type, 'a text or a number'))
}

function textList(value: unknown, type: string): readonly string[] {
  const list = use(z.union([z.string().min(1), z.array(z.union([z.string(), z.number(), z.boolean()]))]), value, type, 'a text or a list')
  if (typeof list !== 'string') return list.map(String)
  try {
    return parseCsvRow(list)
  } catch (error) {
    throw new ScorerConfigError(`The value of ${type} is not a row of comma-separated values: ${messageOf(error)}`)
  }
}

function isEqual(output: string, value: unknown): boolean {
  if (!isObject(value) && !Array.isArray(value)) return output === String(value)
  const parsed = jsonIn(output)
  return parsed !== undefined && sameJson(parsed, value)
}

function setF1(actual: ReadonlySet<string>, expected: ReadonlySet<string>): number {
  const shared = [...expected].filter(name => actual.has(name)).length
  return shared === 0 ? 0 : (2 * shared) / (actual.size + expected.size)
}

type Measure = (output: string, references: readonly string[]) => number

function overlap(type: string, measure: Measure, { value, threshold = 0.5 }: Assertion): Check {
  const references = use(
    z.union([z.string().transform(text => [text]), z.array(z.string()).min(1)]),
    value,
    type,
    'a text or a list of texts',
  )
  return output => {
    const score = measure(output, references)
    return { pass: score >= threshold, score }
  }
}

/** Whether a value is JSON, and valid under the schema where there is one; as a text, the schema is YAML. */
function schemaCheck(value: unknown, type: string): (json: unknown) => boolean {
  if (value === undefined || value === '') return json => json !== undefined
  const check = compileSchema(
    use(z.record(z.string(), z.unknown()), typeof value === 'string' ? yamlIn(value) : value, type, 'a JSON schema'),
  )
  return json => json !== undefined && check(json).length === 0
}

function yamlIn(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent' })
  } catch {
    return text
  }
}

function passOrFail(pass: boolean): AssertionResult {
  return { pass, score: pass ? 1 : 0 }
}
