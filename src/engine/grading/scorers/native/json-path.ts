import { ScorerConfigError } from '../config-error.ts'
import { isObject } from '../../../../lib/json-value.ts'

type Select = (value: unknown) => readonly unknown[]

const segment =
  /^(?:(?<all>\.\.(?=\[))|\.\.(?<deep>[A-Za-z_][\w-]*|\*)|\.(?<name>[A-Za-z_][\w-]*|\*)|\[(?:'(?<quoted>(?:[^'\\]|\\.)*)'|"(?<double>(?:[^"\\]|\\.)*)"|(?<index>-?\d{1,9}|\*)|(?<from>-?\d{0,9}):(?<to>-?\d{0,9}))\])/

/** A walk through a JSON value never selects more than this. */
const mostValues = 10_000

/**
 * The values a JSONPath selects: names, indices, slices without step, wildcards and descendants of RFC 9535; no filters.
 * @throws ScorerConfigError naming where the path cannot be read
 */
export function compileJsonPath(path: string): Select {
  if (!path.startsWith('$')) throw new ScorerConfigError(`The JSON path ${JSON.stringify(path)} must begin with $.`)
  const steps: Select[] = []
  for (let rest = path.slice(1); rest !== ''; ) {
    const match = segment.exec(rest)
    if (!match)
      throw new ScorerConfigError(
        `The JSON path ${JSON.stringify(path)} cannot be read from ${JSON.stringify(rest)}; filters are not available.`,
      )
    steps.push(stepOf(match.groups ?? {}))
    rest = rest.slice(match[0].length)
  }
  return value => steps.reduce<readonly unknown[]>((values, step) => values.flatMap(step).slice(0, mostValues), [value])
}

function stepOf(groups: Readonly<Record<string, string | undefined>>): Select {
  const { all, deep, name, quoted, double, index, from, to } = groups
  if (all !== undefined) return descendants
  if (deep !== undefined) return value => descendants(value).flatMap(deep === '*' ? children : child(deep))
  if (name === '*' || index === '*') return children
  if (index !== undefined)
    return value => (Array.isArray(value) ? value.slice(Number(index), Number(index) === -1 ? undefined : Number(index) + 1) : [])
  if (from !== undefined && to !== undefined)
    return value => (Array.isArray(value) ? value.slice(from === '' ? 0 : Number(from), to === '' ? undefined : Number(to)) : [])
  return child(name ?? (quoted ?? double ?? '').replace(/\\(.)/g, '$1'))
}

function child(name: string): Select {
  return value => (isObject(value) && Object.hasOwn(value, name) ? [value[name]] : [])
}

function children(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? Object.values(value) : []
}

/** The value itself and everything in it. */
function descendants(value: unknown): readonly unknown[] {
  const found: unknown[] = [value]
  for (let i = 0; i < found.length && found.length < mostValues; i++) found.push(...children(found[i]).slice(0, mostValues))
  return found
}
