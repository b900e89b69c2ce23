import { describe, expect, test } from 'vitest'
import { compileSchema } from '../../../../../src/engine/grading/scorers/text/json-schema.ts'
import { expandedSize, mostSubschemas } from '../../../../../src/engine/grading/scorers/text/schema-size.ts'
import { cpuMsOf, slowness } from '../../../../support/machine-speed.ts'

/** Each definition names the next twice. */
function doubling(levels: number, keyword: string): Record<string, unknown> {
  const $defs: Record<string, unknown> = { [`x${levels}`]: { type: 'string' } }
  for (let i = 0; i < levels; i++) $defs[`x${i}`] = { [keyword]: [{ $ref: `#/$defs/x${i + 1}` }, { $ref: `#/$defs/x${i + 1}` }] }
  return { $defs, $ref: '#/$defs/x0' }
}

function nested(levels: number): object {
  let schema = {}
  for (let i = 0; i < levels; i++) schema = { allOf: [schema, schema] }
  return schema
}

describe('a schema', () => {
  test.each([
    ['whose definitions double', doubling(22, 'anyOf')],
    ['whose definitions double by oneOf', doubling(40, 'oneOf')],
    ['that doubles itself as it is written', { ...nested(12) }],
    [
      'with anchors that double',
      {
        $ref: '#a',
        $defs: {
          a: { $anchor: 'a', allOf: Array.from({ length: 60 }, () => ({ $ref: '#b' })) },
          b: { $anchor: 'b', anyOf: Array.from({ length: 60 }, () => ({ type: 'string' })) },
        },
      },
    ],
    ['behind an escaped name', { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': nested(12) } }],
  ])('%s is refused by its expanded size, at once', async (_, schema) => {
    const took = await cpuMsOf(() => expect(() => compileSchema(schema)).toThrow('comes to more than 2,000 subschemas'))
    expect(took).toBeLessThan(500 * slowness())
  })

  test.each([
    ['by its reference', { $ref: '#' }],
    [
      'by two definitions in turn',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { not: { $ref: '#/$defs/a' } } }, properties: { x: { $ref: '#/$defs/a' } } },
    ],
    ['within a choice', { anyOf: [{ type: 'string' }, { $ref: '#' }] }],
    ['for dependent members', { dependentSchemas: { a: { $ref: '#' } } }],
    ['by an anchor', { $dynamicAnchor: 'here', if: { $dynamicRef: '#here' } }],
  ])('that leads back to itself %s on the same value is refused', (_how, schema) =>
    expect(() => compileSchema(schema)).toThrow('a reference leads back to itself'),
  )

  test('that refers to itself is taken', () => {
    const tree = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#' } }, next: { $ref: '#' } },
      required: ['children'],
    }
    expect(compileSchema(tree)({ children: [{ children: [] }], next: { children: [] } })).toEqual([])
    expect(compileSchema(tree)({ children: [{}] })).toHaveLength(1)
    expect(expandedSize(tree)).toBeLessThan(20)
  })

  test('of a few hundred fields is taken', () => {
    const properties = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`field${i}`, { type: 'string', maxLength: 10 }]))
    expect(expandedSize({ type: 'object', properties })).toBeLessThan(mostSubschemas)
    expect(compileSchema({ type: 'object', properties })({ field1: 'x' })).toEqual([])
  })
})

describe('unique items', () => {
  const check = compileSchema({ type: 'array', uniqueItems: true })

  test('are looked for in time that grows with the list', async () => {
    const items = Array.from({ length: 50_000 }, (_, a) => ({ a, b: [a] }))
    const took = await cpuMsOf(() => expect(check(items)).toEqual([]))
    expect(took).toBeLessThan(3_000 * slowness())
    expect(check([...items, { b: [7], a: 7 }])).toEqual(['the value must NOT have duplicate items (items ## 7 and 50000 are identical)'])
  })

  test.each([
    [[1, '1', true, 'true', null, 'null'], true],
    [[0, -0], false],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    [[[1, 2], ['1,2'], [[1], 2]], true],
    [['\ud800', '\ud801'], true],
    [[[], {}], true],
  ])('%j are told as the standard tells them', (items, isValid) => {
    expect(check(items)).toHaveLength(isValid ? 0 : 1)
  })
})
