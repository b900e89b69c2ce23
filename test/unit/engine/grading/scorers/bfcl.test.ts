import { describe, expect, test } from 'vitest'
import { grade } from './grade.ts'

const area = {
  name: 'geometry.area',
  parameters: {
    type: 'dict',
    properties: {
      base: { type: 'integer' },
      height: { type: 'float' },
      unit: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      box: { type: 'dict' },
    },
    required: ['base'],
  },
}
const values = { base: [10], height: [5.5, 6], unit: ['square units', ''], tags: [['a b', 'c'], ''], box: [{ w: [1, 2], h: [''] }, ''] }
const target = JSON.stringify({ function: [area], ground_truth: [{ 'geometry.area': values }] })
const value = (output: string, wanted = target) => grade('bfcl/ast', {}, output, wanted).value

describe('function calls under BFCL’s rules', () => {
  test.each([
    ['in Python', "[geometry.area(base=10, height=5.5, unit='Square-Units')]", 1],
    ['without brackets, in backticks', '```python\ngeometry.area(base=10, height=5.5)\n```', 1],
    ['with a whole number for a float', '[geometry.area(base=10, height=6)]', 1],
    ['with an underscore for the point', '[geometry_area(base=10, height=6)]', 1],
    ['in JSON', '[{"geometry.area": {"base": 10, "height": 6}}]', 1],
    ['as an interface returns them', '[{"function": {"name": "geometry.area", "arguments": "{\\"base\\": 10, \\"height\\": 5.5}"}}]', 1],
    ['with a list, whose texts are read loosely', "[geometry.area(base=10, height=6, tags=['A, b', 'c'])]", 1],
    ['with a dictionary', "[geometry.area(base=10, height=6, box={'w': 2})]", 1],
    ['with another value in a dictionary', "[geometry.area(base=10, height=6, box={'w': 3})]", 0],
    ['with a list in another order', "[geometry.area(base=10, height=6, tags=['c', 'a b'])]", 0],
    ['with a text for a number', "[geometry.area(base='10', height=6)]", 0],
    ['with a float for a whole number', '[geometry.area(base=10.0, height=6)]', 0],
    ['with another value', '[geometry.area(base=11, height=6)]', 0],
    ['without a parameter that is required', '[geometry.area(height=6)]', 0],
    ['without one that is not marked optional', '[geometry.area(base=10)]', 0],
    ['with one that is unknown', '[geometry.area(base=10, height=6, color=1)]', 0],
    ['of another function', '[geometry.volume(base=10, height=6)]', 0],
    ['twice', '[geometry.area(base=10, height=6), geometry.area(base=10, height=6)]', 0],
    ['by position, which counts for nothing', '[geometry.area(10, 6)]', 0],
    ['in a sentence', 'I would call geometry.area(base=10, height=6).', 0],
    ['unclosed', '[geometry.area(base=10, height=6', 0],
  ])('are graded %s', (_, output, expected) => expect(value(output)).toBe(expected))

  test('are each expected once, in any order', () => {
    const two = '[{"f": {"x": [1]}}, {"f": {"x": [2]}}]'
    expect([value('[f(x=2), f(x=1)]', two), value('[f(x=1), f(x=1)]', two), value('[f(x=1)]', two)]).toEqual([1, 0, 0])
  })

  test('have the types of the possible answers where nothing documents them', () => {
    const bare = '[{"f": {"x": [1], "y": [0.5, ""], "z": ["a", ""]}}]'
    expect(['f(x=1)', 'f(x="1")', 'f(x=1, y=0.5)', 'f(x=1, z=A)', 'f(x=True)'].map(output => value(output, bare))).toEqual([1, 0, 1, 1, 0])
  })

  test('have names in any letters, read as Python reads them', () => {
    const wanted = '[{"año.nuevo": {"año_vehículo": [2024]}}]'
    const decomposed = 'año.nuevo(año_vehículo=2024)'.normalize('NFD')
    expect(['año.nuevo(año_vehículo=2024)', decomposed, 'ano.nuevo(ano_vehiculo=2024)'].map(output => value(output, wanted))).toEqual([
      1, 1, 0,
    ])
  })

  test('are unscored without possible answers', () => expect(value('f(x=1)', 'f(x=1)')).toBeNull())
})
