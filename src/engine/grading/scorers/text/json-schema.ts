import { Ajv, type SchemaValidateFunction, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { RE2JS } from 're2js'
import { requireAffordable } from '../patterns/pattern-limit.ts'
import { ScorerConfigError } from '../config-error.ts'
import { expandedSize, mostSubschemas, refersToItself } from './schema-size.ts'
import { messageOf } from '../../../../lib/message-of.ts'
import { isObject } from '../../../../lib/json-value.ts'

/** What a JSON value breaks in a schema, in the validator's words; empty when it is valid. */
export type SchemaCheck = (value: unknown) => readonly string[]

const settings = { strict: false, allErrors: false, logger: false, validateFormats: false, code: { regExp: linearPattern } } as const

/**
 * A schema of draft 2020-12, or of draft 7 and 6 when named by `$schema`. `pattern` runs on RE2; `format` is not checked.
 * @throws ScorerConfigError when the schema itself is not valid or refers to another document
 */
export function compileSchema(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  const isOld = /draft-0[67]/.test(String(schema['$schema']))
  let validate: ValidateFunction
  try {
    if (expandedSize(schema) > mostSubschemas)
      throw new RangeError(
        `it comes to more than ${mostSubschemas.toLocaleString('en')} subschemas with its references followed. Make it smaller`,
      )
    if (refersToItself(schema)) throw new RangeError('a reference leads back to itself. Let it go through "properties" or "items"')
    const validator = isOld ? new Ajv(settings) : new Ajv2020(settings)
    // The library compares every item with every other.
    validator.removeKeyword('uniqueItems')
    validator.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: uniqueItems })
    validate = validator.compile(schema)
  } catch (error) {
    throw new ScorerConfigError(`The JSON schema cannot be used: ${messageOf(error)}`)
  }
  return value =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the value'} ${message ?? 'is not valid'}`)
}

/** The same verdict and words as the library's, in time that grows with the items. */
const uniqueItems: SchemaValidateFunction = (isWanted: boolean, items: readonly unknown[]) => {
  if (!isWanted) return true
  const keys = items.map(equalityKey)
  const places = Map.groupBy(items.keys(), i => keys[i])
  for (let i = items.length - 1; i >= 0; i--) {
    const same = places.get(keys[i])
    same?.pop()
    const j = same?.at(-1)
    if (j === undefined) continue
    uniqueItems.errors = [
      { keyword: 'uniqueItems', message: `must NOT have duplicate items (items ## ${j} and ${i} are identical)`, params: { i, j } },
    ]
    return false
  }
  return true
}

/** Equal for equal JSON values, whatever the order of their keys, and for no others. */
function equalityKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(equalityKey).join()}]`
  if (typeof value === 'number') return value === 0 ? '0' : String(value)
  if (!isObject(value)) return JSON.stringify(value)
  const names = Object.keys(value).sort()
  return `{${names.map(name => `${JSON.stringify(name)}:${equalityKey(value[name])}`).join()}}`
}

/** Patterns of a schema must not take exponential time. Ajv calls `test`, and tells patterns apart by their `toString`. */
function linearPattern(pattern: string): { test: (text: string) => boolean; toString: () => string } {
  const compiled = RE2JS.compile(pattern)
  const test = (text: string) => {
    requireAffordable(compiled, pattern, text)
    return compiled.matcher(text).find()
  }
  return { test, toString: () => pattern }
}
// Ajv prints this into generated code when it writes a standalone module, which nothing here does.
linearPattern.code = 'linearPattern'
