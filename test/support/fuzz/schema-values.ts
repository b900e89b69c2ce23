import type { Random } from '../../../src/engine/statistics/random.ts'
import { naughtyStrings } from './naughty-strings.ts'

type Json = Readonly<Record<string, unknown>>

/** Values for the schemas of one OpenAPI document, drawn from a seed. */
export interface SchemaValues {
  /** One that the schema takes, as far as a schema says; at its bounds as often as between them. */
  valid(schema: unknown, name: string): unknown
  /** A value with one thing in it changed for the worse; a list grows until it is just over `mostBytes`. */
  spoil(value: unknown, mostBytes: number): unknown
  naughty(): string
  pick<T>(from: readonly T[]): T
}

/** Texts that match the patterns of the contract; the first that fits a pattern and its lengths is taken. */
const patternSamples = ['0', '1000000', '999999999999999', 'a'.repeat(64), '2026-11-20T09:30:00.000Z', 'en', 'x-test', '-5']

/**
 * @param known ids and other texts by the name of the field that they were seen in, so that requests reach what exists.
 */
export function createSchemaValues(document: Json, random: Random, known: ReadonlyMap<string, readonly string[]>): SchemaValues {
  const below = (n: number) => Math.floor(random() * n)
  const pick = <T>(from: readonly T[]): T => {
    const found = from[below(from.length)]
    if (found === undefined) throw new Error('There is nothing to pick from.')
    return found
  }
  const chance = (p: number) => random() < p

  const resolved = new Map<string, Json>()
  const resolve = (schema: unknown): Json => {
    if (!isJson(schema)) return {}
    const ref = schema['$ref']
    if (typeof ref !== 'string') return schema
    const path = ref.slice(2).split('/')
    return memo(resolved, ref, () => resolve(path.reduce<unknown>((at, key) => (isJson(at) ? at[key] : undefined), document)))
  }

  const samples = new Map<string, readonly string[]>()
  const text = (schema: Json, name: string): string => {
    const seen = known.get(name) ?? (name.endsWith('_id') ? known.get('id') : undefined) ?? []
    if (seen.length > 0 && chance(0.85)) return pick(seen)
    if (schema['format'] === 'uuid') return '01a1fc63-87cf-72ca-b61c-7c4bba51b062'
    if (schema['format'] === 'date-time') return pick(['2026-11-20T09:30:00.000Z', '2039-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])
    if (schema['format'] === 'uri') return pick(['http://127.0.0.1:9999/v1', 'https://127.0.0.1:9998/v1', 'http://[::1]:9999/v1?x=1'])
    const min = numberOr(schema['minLength'], 0)
    const max = Math.min(numberOr(schema['maxLength'], 300), 6000)
    const pattern = schema['pattern']
    if (typeof pattern === 'string') {
      const matching = memo(samples, pattern, () => patternSamples.filter(sample => new RegExp(pattern, 'u').test(sample)))
      const fitting = matching.find(sample => sample.length >= min)
      if (fitting !== undefined) return fitting
    }
    return chance(0.3) ? 'n'.repeat(pick([min, max])) : pick(naughtyStrings).slice(0, max).padEnd(min, 'y')
  }

  const number = (schema: Json, whole: boolean): number => {
    const min = numberOr(schema['minimum'], numberOr(schema['exclusiveMinimum'], whole ? 0 : -1e6))
    const max = numberOr(schema['maximum'], numberOr(schema['exclusiveMaximum'], 1e6))
    if (chance(0.4)) return pick([min, max])
    const between = min + random() * (Math.min(max, min + 100) - min)
    return whole ? Math.floor(between) : between
  }

  const object = (schema: Json, depth: number): Json => {
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    const properties = isJson(schema['properties']) ? Object.entries(schema['properties']) : []
    const wanted = properties.filter(([name]) => required.includes(name) || chance(depth > 5 ? 0 : 0.6))
    const own = wanted.map(([name, inner]): [string, unknown] => [name, value(inner, name, depth + 1)])
    const free = isJson(schema['additionalProperties']) && depth < 4 ? schema['additionalProperties'] : null
    const extra = free && chance(0.5) ? [[pick(['x-a', 'k', ...naughtyStrings.slice(0, 9)]), value(free, '', depth + 1)] as const] : []
    return Object.fromEntries([...own, ...extra])
  }

  const value = (given: unknown, name: string, depth = 0): unknown => {
    const schema = resolve(given)
    if ('const' in schema) return schema['const']
    if (Array.isArray(schema['enum'])) return pick(schema['enum'])
    const either = schema['anyOf'] ?? schema['oneOf']
    if (Array.isArray(either)) return value(pick(either), name, depth)
    if (Array.isArray(schema['allOf'])) return Object.assign({}, ...schema['allOf'].map(part => value(part, name, depth)))
    switch (schema['type']) {
      case 'string':
        return text(schema, name)
      case 'integer':
      case 'number':
        return number(schema, schema['type'] === 'integer')
      case 'boolean':
        return chance(0.5)
      case 'null':
        return null
      case 'array': {
        const min = numberOr(schema['minItems'], 0)
        const max = Math.min(numberOr(schema['maxItems'], 3), 30)
        const length = depth > 6 ? min : pick([min, Math.max(min, 1), max])
        return Array.from({ length }, () => value(schema['items'], name.replace(/s$/, ''), depth + 1))
      }
      case 'object':
        return object(schema, depth)
      default:
        return pick([null, 1, 'free', {}, []])
    }
  }

  const worse = (old: unknown, mostBytes: number): unknown =>
    pick<() => unknown>([
      () => null,
      () => true,
      () => -1,
      () => 1.5,
      () => Number.MAX_SAFE_INTEGER + 2,
      () => 1e308,
      () => pick(naughtyStrings),
      () => [],
      () => ({}),
      () => [old, old],
      () => ({ nested: old }),
      () => Array.from({ length: Math.min(2000, Math.ceil(mostBytes / (1 + JSON.stringify(old).length))) }, () => old),
      () => nest(old, 50),
    ])()

  const spoil = (old: unknown, mostBytes: number): unknown => {
    if (Array.isArray(old) && old.length > 0 && chance(0.7)) {
      const at = below(old.length)
      return old.map((item, i) => (i === at ? spoil(item, mostBytes) : item))
    }
    if (isJson(old) && chance(0.9)) {
      const names = Object.keys(old)
      if (names.length === 0 || chance(0.15)) return { ...old, [pick(naughtyStrings.filter(s => s !== '__proto__'))]: 1 }
      const at = pick(names)
      if (chance(0.2)) return Object.fromEntries(Object.entries(old).filter(([name]) => name !== at))
      return { ...old, [at]: spoil(old[at], mostBytes) }
    }
    return worse(old, mostBytes)
  }

  return { valid: value, spoil, naughty: () => pick(naughtyStrings), pick }
}

function nest(value: unknown, levels: number): unknown {
  let inner = value
  for (let i = 0; i < levels; i++) inner = i % 2 ? [inner] : { a: inner }
  return inner
}

function memo<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
