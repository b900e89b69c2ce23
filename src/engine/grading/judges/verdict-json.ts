import type { JudgeDefinition } from '../../../contract/evaluators/evaluator-definition.schemas.ts'
import { findJson } from '../extraction/json.ts'
import { passes } from './judge-plan.ts'

/** A reply that is an object, or holds one. */
export interface JsonVerdict {
  /** Each verdict in it as text; empty where it gives none. */
  readonly said: readonly string[]
  readonly reason: string
  /** Whether the reply is nothing else. */
  readonly isWhole: boolean
}

const verdictKeys = /^(?:final_?)?(?:verdict|judge?ment|decision)$/i
const otherKeys =
  /^(?:final_?|overall_?)?(?:label|class|classification|category|answer|result|choice|winner|preference|evaluation|assessment)$/i
const scoreKeys = /^(?:final_?|overall_?|total_?)?(?:score|rating|grade|points)$/i
const metKeys = /^(?:criteri(?:a|on)_?)?met$/i
const reasonKeys = /^(?:reason(?:s|ing)?|explanation|rationale|justification|analysis|comment)$/i
const scaleKeys = /^(?:max(?:imum)?(?:_?score|_?points)?|out_?of|scale)$/i
const deepest = 4
const mostMembers = 200

/**
 * The verdicts of a reply in JSON: strict, in a fence, between other text, or as models break it. Null where it has none.
 * @param isCut it ends at a token limit, so that what is not closed is not whole: `{"score": 1` of 10
 */
export function jsonVerdict(judge: JudgeDefinition, text: string, isCut: boolean): JsonVerdict | null {
  const strict = findJson(text)?.value
  const value = isHolder(strict) ? strict : isCut ? undefined : looseObject(text)
  if (value === undefined) return null
  const members = membersOf(value)
  const keys = [verdictKeys, ...(judge.mode === 'score' ? [scoreKeys] : judge.mode === 'rubric' ? [metKeys] : [otherKeys])]
  for (const key of keys) {
    const said = members.filter(([name]) => key.test(name)).flatMap(([, one]) => asText(judge, one) ?? [])
    if (said.length === 0) continue
    const scale = members.find(([name, one]) => scaleKeys.test(name) && typeof one === 'number')?.[1]
    const reason = members.find(([name, one]) => reasonKeys.test(name) && typeof one === 'string')?.[1]
    return {
      said: key === scoreKeys && typeof scale === 'number' ? said.map(one => `${one}/${scale}`) : said,
      reason: typeof reason === 'string' ? reason : '',
      isWhole: value === strict && isAlone(text),
    }
  }
  return null
}

/** Whether only a fence is around the JSON. */
function isAlone(text: string): boolean {
  return /^(?:[{[]|(?:```|~~~)\w{0,20}\s{0,20}[{[])/.test(text.trimStart()) && /[}\]]\s{0,20}(?:```|~~~)?$/.test(text.trimEnd().slice(-30))
}

function asText(judge: JudgeDefinition, value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  const { menu, mode } = judge
  if (typeof value !== 'boolean' || menu.length !== 2 || mode === 'pairwise' || mode === 'score') return null
  const named = menu.find(entry => entry.value.toLowerCase() === String(value))
  const passing = menu.filter(entry => passes(menu, entry.value))
  if (named || passing.length !== 1) return named?.value ?? null
  return menu.find(entry => passes(menu, entry.value) === value)?.value ?? null
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Of the value and the objects in it, breadth first. */
function membersOf(root: object): (readonly [string, unknown])[] {
  const members: (readonly [string, unknown])[] = []
  let level: object[] = [root]
  for (let depth = 0; depth < deepest && level.length > 0 && members.length < mostMembers; depth++) {
    const entries = level.flatMap(each => Object.entries(each).slice(0, mostMembers))
    members.push(...entries)
    level = entries
      .slice(0, mostMembers)
      .map(([, value]) => value)
      .filter(isHolder)
  }
  return members
}

/** From the first brace to the last: with trailing commas, Python's quotes and words, line breaks inside strings, or cut off at its end. */
function looseObject(text: string): object | undefined {
  const start = text.indexOf('{')
  if (start < 0) return undefined
  const end = text.lastIndexOf('}')
  const inner = end > start ? text.slice(start, end + 1) : `${text.slice(start).trimEnd()}}`
  if (inner.length > 20_000) return undefined
  const commas = inner.replaceAll(/,\s{0,20}(?=[}\]])/g, '')
  const lines = commas.replaceAll(/\r?\n/g, ' ')
  const python = lines
    .replaceAll(/(?<=[{,:[]\s{0,3})'|'(?=\s{0,3}[,:}\]])/g, '"')
    .replaceAll(/(?<=:\s{0,3})(?:True|False|None)\b/g, word => (word === 'None' ? 'null' : word.toLowerCase()))
  for (const attempt of [inner, commas, lines, python]) {
    try {
      const value: unknown = JSON.parse(attempt)
      if (isHolder(value)) return value
    } catch {
      // The next reading allows for more.
    }
  }
  return undefined
}
