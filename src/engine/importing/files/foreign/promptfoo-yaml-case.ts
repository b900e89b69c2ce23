import { z } from 'zod'
import { RowError } from '../row.ts'
import { type PromptfooCase, readAssertion } from './promptfoo-case.ts'

const Options = z.looseObject({ prefix: z.string().optional(), suffix: z.string().optional(), disableVarExpansion: z.boolean().optional() })

const Case = z.object({
  description: z.string().optional(),
  vars: z.record(z.string(), z.unknown()).optional(),
  assert: z.array(z.unknown()).optional(),
  threshold: z.number().optional(),
  options: Options.optional(),
})

/** What `defaultTest` gives every test. */
export type Defaults = z.infer<typeof Case>

/** Parts of a test that would change the prompt or the grading. */
const refusedParts = ['providerOutput', 'assertScoringFunction', 'prompts']
/** The same of its options. */
const refusedOptions = ['transform', 'postprocess', 'transformVars']
const mostCombinations = 10_000

/** A test whose variables are lists becomes one for each combination, unless its options say not to. */
export function* expandVars(value: Readonly<Record<string, unknown>>, defaults: Defaults): Generator<Record<string, unknown>> {
  const parsed = readCase(value)
  const vars = { ...defaults.vars, ...parsed.vars }
  const isKept = (parsed.options ?? defaults.options)?.disableVarExpansion === true
  const lists = isKept ? [] : Object.entries(vars).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  const combinations = lists.reduce((product, [, list]) => product * list.length, 1)
  if (combinations > mostCombinations)
    throw new RowError(`The variables of the test have ${combinations} combinations; at most ${mostCombinations} are made.`)
  for (let i = 0; i < combinations; i++) {
    let rest = i
    const chosen = lists.map(([name, list]) => {
      const item = list[rest % list.length]
      rest = Math.floor(rest / list.length)
      return [name, item] as const
    })
    yield { ...value, vars: { ...vars, ...Object.fromEntries(chosen) } }
  }
}

/** @throws RowError */
export function caseOfItem(value: Readonly<Record<string, unknown>>, defaults: Defaults): PromptfooCase {
  const { vars = {}, assert = [], threshold = defaults.threshold, options, description } = readCase(value)
  const file = Object.entries(vars).find(([, inner]) => typeof inner === 'string' && inner.startsWith('file://'))
  if (file) throw new RowError(`The variable "${file[0].slice(0, 60)}" is a file, which cannot be imported.`)
  return {
    vars,
    assertions: [...assert, ...(defaults.assert ?? [])].map(readAssertion),
    threshold,
    prefix: options?.prefix ?? defaults.options?.prefix,
    suffix: options?.suffix ?? defaults.options?.suffix,
    description,
  }
}

/** What `defaultTest` gives, which is refused for what a test is refused for. @throws RowError */
export function readDefaults(value: unknown): Defaults {
  const parsed = z.record(z.string(), z.unknown()).safeParse(value ?? {})
  if (!parsed.success) throw new RowError('It must be an object.')
  return readCase(parsed.data)
}

function readCase(value: Readonly<Record<string, unknown>>): z.infer<typeof Case> {
  const part = refusedParts.find(name => value[name] !== undefined && value[name] !== null)
  if (part) throw new RowError(`The test has "${part}", which cannot be imported.`)
  const parsed = Case.safeParse(value)
  if (!parsed.success) throw new RowError(`The test cannot be read: ${z.prettifyError(parsed.error).replaceAll('\n', ' ')}`)
  const option = refusedOptions.find(name => parsed.data.options?.[name] !== undefined)
  if (option) throw new RowError(`The test has the option "${option}", which runs a program and cannot be imported.`)
  return parsed.data
}
