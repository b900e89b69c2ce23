import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { RE2JS } from 're2js'
import { requireAffordable } from '../patterns/pattern-limit.ts'
import { ScorerConfigError } from '../config-error.ts'

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
    validate = (isOld ? new Ajv(settings) : new Ajv2020(settings)).compile(schema)
  } catch (error) {
    throw new ScorerConfigError(`The JSON schema cannot be used: ${error instanceof Error ? error.message : String(error)}`)
  }
  return value =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the value'} ${message ?? 'is not valid'}`)
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
