import type { WorldTool } from '../../../../contract/worlds/worlds.schemas.ts'
import { argumentCheck } from '../../../grading/worlds/match-arguments.ts'
import { PatternLimitError } from '../../../grading/scorers/patterns/pattern-limit.ts'
import { compileSchema, type SchemaCheck } from '../../../grading/scorers/text/json-schema.ts'

type Arguments = Readonly<Record<string, unknown>>

/** What a tool of a world asks of the arguments of a call. */
export interface CallRules {
  /** JSON Schema of all of them. */
  readonly parameters: Arguments
  /** By place of a result that is ready, its rules; null: it takes any. Empty for other tools. */
  readonly entries: readonly (Arguments | null)[]
  /** Whether arguments that an entry does not name may have any value, or must be absent. */
  readonly unnamed: 'any' | 'absent'
}

export type MatchedCall =
  | {
      /** What the arguments break in the schema; then no entry was looked for. */
      readonly problems: readonly string[]
      /** The first of the open entries whose rules they follow. */
      readonly entry: number | null
    }
  /** To check them takes longer than a call is worth. */
  | { readonly tooMuch: string }

/** @param open places of the entries that may answer, in order */
export type MatchCall = (rules: CallRules, given: Arguments, open: readonly number[]) => Promise<MatchedCall>

const rulesByTool = new WeakMap<WorldTool, CallRules>()

/** The same object each time, so that it is compiled once. */
export function callRules(tool: WorldTool): CallRules {
  const known = rulesByTool.get(tool)
  if (known) return known
  const { parameters, behavior } = tool
  const entries = resultsOf(behavior).map(({ arguments: rules }) => rules ?? null)
  const rules: CallRules = { parameters, entries, unnamed: behavior.kind === 'mcp' ? 'absent' : 'any' }
  rulesByTool.set(tool, rules)
  return rules
}

/** Results that a tool has ready, in the order in which they are tried. */
export function resultsOf(behavior: WorldTool['behavior']) {
  return 'results' in behavior ? behavior.results : []
}

/** Compiles rules once they are needed. @throws ScorerConfigError for rules that make no sense; a world with such is never stored */
export function callMatcher({ parameters, entries, unnamed }: CallRules): (given: Arguments, open: readonly number[]) => MatchedCall {
  let schema: SchemaCheck | null = null
  const checks = new Map<number, (given: Arguments) => boolean>()
  const checkOf = (place: number) => {
    const known = checks.get(place)
    if (known) return known
    const rules = entries[place]
    const made = rules ? argumentCheck(rules, unnamed) : () => true
    checks.set(place, made)
    return made
  }
  return (given, open) => {
    try {
      schema ??= compileSchema(parameters)
      const problems = schema(given)
      if (problems.length > 0) return { problems, entry: null }
      return { problems, entry: open.find(place => checkOf(place)(given)) ?? null }
    } catch (error) {
      if (error instanceof PatternLimitError) return { tooMuch: error.message }
      throw error
    }
  }
}

/** Values of rules, times characters of arguments, that are checked where they are: some milliseconds. */
const mostSteps = 1_000_000
/** Values of rules that are compiled where they are. */
const mostValues = 1_000

/** How much there is to check; infinite with patterns, whose time no count of values tells. */
const weights = new WeakMap<CallRules, number>()
const matchers = new WeakMap<CallRules, ReturnType<typeof callMatcher>>()

/** The match at once where it is quick; null where it belongs in a thread that can be stopped. */
export function quickMatch(rules: CallRules, given: Arguments, open: readonly number[]): MatchedCall | null {
  const weight = weights.get(rules) ?? weightOf(rules)
  weights.set(rules, weight)
  if (weight > mostValues || weight * JSON.stringify(given).length > mostSteps) return null
  const matcher = matchers.get(rules) ?? callMatcher(rules)
  matchers.set(rules, matcher)
  return matcher(given, open)
}

const patternKeys: ReadonlySet<string> = new Set(['pattern', 'patternProperties', '$pattern'])

function weightOf({ parameters, entries }: CallRules): number {
  let weight = 0
  for (let level: unknown[] = [parameters, ...entries]; level.length > 0; )
    level = level.flatMap(value => {
      weight++
      if (typeof value !== 'object' || value === null) return []
      if (!Array.isArray(value) && Object.keys(value).some(key => patternKeys.has(key))) weight = Infinity
      return Object.values(value)
    })
  return weight
}
