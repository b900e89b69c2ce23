import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '../../src/contract/api.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { RunConfig } from '../../src/contract/run-config/run-config.schemas.ts'
import { shownValue, typeNames } from '../../src/contract/value-names.ts'
import { ApiError } from '../../src/contract/errors.ts'
import { parsePart } from '../../src/service/http/parse-input.ts'

type Union = z.core.$ZodUnion | z.core.$ZodDiscriminatedUnion

/** Every union that a body or query of the contract, or a file that people write, can hold, with where it is. */
const unions = new Map<Union, string>()
const visited = new Set<unknown>()

function visit(schema: z.core.$ZodType, place: string): void {
  if (visited.has(schema)) return
  visited.add(schema)
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'union') unions.set(schema as Union, place)
  for (const [name, inner] of partsOf(def)) visit(inner, `${place}${name}`)
}

function partsOf(def: z.core.$ZodTypes['_zod']['def']): readonly (readonly [string, z.core.$ZodType])[] {
  switch (def.type) {
    case 'object':
      return [
        ...Object.entries(def.shape).map(([name, inner]) => [`.${name}`, inner] as const),
        ...(def.catchall ? [['.*', def.catchall] as const] : []),
      ]
    case 'array':
      return [['[]', def.element]]
    case 'union':
      return def.options.map((option, i) => [`|${i}`, option])
    case 'record':
      return [['.*', def.valueType]]
    case 'tuple':
      return def.items.map((item, i) => [`[${i}]`, item])
    case 'intersection':
      return [
        ['', def.left],
        ['', def.right],
      ]
    case 'lazy':
      return [['', def.getter()]]
    case 'pipe':
      return [
        ['', def.in],
        ['', def.out],
      ]
    default:
      return 'innerType' in def ? [['', def.innerType]] : []
  }
}

for (const [id, { body, query }] of Object.entries<Endpoint>(api)) {
  if (body) visit(body, `${id} body`)
  if (query) visit(query, `${id} query`)
}
visit(RunConfig, 'assay.yaml')

const table = [...unions].map(([union, place]) => ({ union, place }))

/** What it complains of, where the value is the second item of a list of a body. */
function complaintsOf(union: Union, value: unknown): { readonly loc: readonly (string | number)[]; readonly msg: string }[] | null {
  try {
    // The first item is of any kind, so that the place of the second is its own.
    parsePart(z.strictObject({ items: z.tuple([z.unknown(), union]) }), { items: [0, value] }, 'body')
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [...(error.detail ?? [])]
  }
}

/** The types, constants and discriminators of its branches, in the words of an error, read from the schema alone. */
function choicesOf(schema: z.core.$ZodType): readonly string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'union') return def.options.flatMap(choicesOf)
  if (def.type === 'literal') return def.values.map(value => JSON.stringify(value))
  if (def.type === 'enum') return Object.values(def.entries).map(value => JSON.stringify(value))
  if (def.type === 'pipe') return choicesOf(def.in)
  if (def.type === 'lazy') return choicesOf(def.getter())
  if ('innerType' in def) return choicesOf(def.innerType)
  // Another type is told that it is to be a number, and a fraction that it is to be a whole one.
  if (def.type === 'number' && 'format' in def) return ['number']
  const name = { number: 'a number', tuple: 'a list' }[String(def.type)] ?? typeNames[def.type]
  return name === undefined ? [] : [name]
}

const isDiscriminated = (union: Union): union is z.core.$ZodDiscriminatedUnion => 'discriminator' in union._zod.def

test('finds the unions of the contract', () => {
  expect(table.length).toBeGreaterThan(30)
  expect(table.filter(({ union }) => isDiscriminated(union)).length).toBeGreaterThan(8)
})

describe('a bad item is named with its place, its value and every choice', () => {
  test.each(table.filter(({ union }) => isDiscriminated(union)))('by an unknown or no discriminator: $place', ({ union }) => {
    if (!isDiscriminated(union)) throw new Error('Discriminated unions alone.')
    const name = union._zod.def.discriminator
    const choices = [...(union._zod.propValues[name] ?? [])].map(value => JSON.stringify(value))
    expect(choices.length).toBeGreaterThan(1)
    expect(complaintsOf(union, { [name]: 'no-such' })).toEqual([
      { loc: ['body', 'items', 1, name], msg: `must be one of ${choices.join(', ')}, not "no-such"`, type: 'invalid_value' },
    ])
    expect(complaintsOf(union, {})).toEqual([
      { loc: ['body', 'items', 1, name], msg: `must be one of ${choices.join(', ')}`, type: 'invalid_value' },
    ])
  })

  const others = [5.5, true, null, 'no such choice', {}, []]
  test.each(table.filter(({ union }) => !isDiscriminated(union)))('by a value of no choice’s type: $place', ({ union }) => {
    const choices = choicesOf(union)
    for (const value of others) {
      const complaints = complaintsOf(union, value)
      if (complaints === null) continue
      for (const { loc } of complaints) expect(loc.slice(0, 3)).toEqual(['body', 'items', 1])
      const said = complaints.map(({ msg }) => msg).join('\n')
      expect(said).not.toContain('Invalid input')
      const [first] = complaints
      if (complaints.length > 1 || first?.loc.length !== 3 || !first.msg.includes(', not ')) continue
      expect(said).toContain(`, not ${shownValue(value)}`)
      for (const choice of choices) expect(said).toContain(choice)
    }
  })

  test.each(table.filter(({ union }) => choicesOf(union).every(choice => choice === 'an object') && !isDiscriminated(union)))(
    'by an object without the fields of any: $place',
    ({ union }) => {
      const { options } = union._zod.def
      const said = (complaintsOf(union, {}) ?? []).map(({ loc, msg }) => `${loc.slice(3).join('.')} ${msg}`).join('\n')
      for (const option of options) {
        const shape = 'shape' in option._zod.def ? (option as z.core.$ZodObject)._zod.def.shape : {}
        const required = Object.entries(shape).flatMap(([name, field]) =>
          field._zod.optin === 'optional' || z.safeParse(field, undefined).success ? [] : [name],
        )
        expect(required.length).toBeGreaterThan(0)
        for (const name of required) expect(said).toContain(name)
      }
    },
  )
})

test('the choice that a value names by its type or by a field of its own is the one whose faults are told', () => {
  const Choice = z.union([
    z.string().min(3),
    z.strictObject({ run_id: z.uuid(), note: z.string() }),
    z.strictObject({ suite: z.uuid(), note: z.string() }),
    z.array(z.int()).min(2),
  ])
  const said = (value: unknown) => complaintsOf(Choice, value)?.map(({ loc, msg }) => `${loc.slice(3).join('.')}: ${msg}`)
  expect(said('a')).toEqual([': must have at least 3 characters'])
  expect(said([1])).toEqual([': must have at least 2 items'])
  expect(said([1, 'x'])).toEqual(['1: must be a number'])
  expect(said({ run_id: 'x' })).toEqual(['run_id: must be a UUID, not "x"', 'note: is required'])
  expect(said({ suite: 'x', note: 'y' })).toEqual(['suite: must be a UUID, not "x"'])
  expect(said({ note: 'x', other: 1 })).toEqual([': must have "run_id" or "suite"', ': has unknown field "other"'])
  expect(said(7)).toEqual([': must be text, an object or a list, not 7'])
})
