import { ScorerConfigError } from '../scorers/config-error.ts'
import { userPattern } from '../scorers/patterns/user-pattern.ts'
import { isEqual } from './json-values.ts'
import { isObject } from '../../../lib/json-value.ts'

type Given = Readonly<Record<string, unknown>>
type Rules = Readonly<Record<string, unknown>>

/** Whether a value follows a rule; `undefined` is an absent argument. */
type Check = (value: unknown) => boolean

/**
 * Rules for arguments, as `ArgumentRules` of the contract tells them.
 * @param rest what arguments without a rule may be
 * @throws ScorerConfigError naming the rule that makes no sense
 */
export function argumentCheck(rules: Rules, rest: 'any' | 'absent'): (given: Given) => boolean {
  const checks = Object.entries(rules).map(([name, rule]) => [name, checkOf(rule)] as const)
  return given =>
    checks.every(([name, check]) => check(Object.hasOwn(given, name) ? given[name] : undefined)) &&
    (rest === 'any' || Object.keys(given).every(name => Object.hasOwn(rules, name)))
}

function checkOf(rule: unknown): Check {
  if (!isObject(rule)) return value => isEqual(value, rule)
  const names = Object.keys(rule).filter(name => name.startsWith('$'))
  const [name = ''] = names
  if (names.length === 0) return nested(rule)
  const make = Object.hasOwn(makers, name) ? makers[name] : undefined
  const extra = Object.keys(rule).find(key => key !== name && !(name === '$near' && key === 'tolerance'))
  if (!make) throw new ScorerConfigError(`There is no rule "${name}". The rules are ${Object.keys(makers).join(', ')}.`)
  if (extra !== undefined) throw new ScorerConfigError(`The rule "${name}" takes no "${extra}".`)
  return make(rule[name], rule)
}

/** Rules may be anywhere in an object; its keys are all there and no others. */
function nested(rules: Rules): Check {
  const check = argumentCheck(rules, 'absent')
  return value => isObject(value) && check(value)
}

const makers: Readonly<Record<string, (rule: unknown, whole: Rules) => Check>> = {
  $any: () => () => true,
  $one_of: list => {
    if (!Array.isArray(list) || list.length === 0) throw new ScorerConfigError('"$one_of" needs a list of rules.')
    const checks = list.map(checkOf)
    return value => checks.some(check => check(value))
  },
  $optional: rule => {
    const check = checkOf(rule)
    return value => value === undefined || check(value)
  },
  $text: text => {
    if (typeof text !== 'string') throw new ScorerConfigError('"$text" needs a text.')
    const wanted = plain(text)
    return value => typeof value === 'string' && plain(value) === wanted
  },
  $pattern: text => {
    if (typeof text !== 'string') throw new ScorerConfigError('"$pattern" needs a pattern.')
    const pattern = userPattern(text)
    return value => typeof value === 'string' && [...pattern.matches(value)].length > 0
  },
  $near: (wanted, { tolerance }) => {
    if (typeof wanted !== 'number' || typeof tolerance !== 'number' || tolerance < 0)
      throw new ScorerConfigError('"$near" needs a number, and a "tolerance" of 0 or more beside it.')
    return value => typeof value === 'number' && Math.abs(value - wanted) <= tolerance
  },
}

/** Letters and digits alone, without case and accents. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
