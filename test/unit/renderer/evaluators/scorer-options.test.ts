import { z } from 'zod'
import { describe, expect, test } from 'vitest'
import { scorers } from '../../../../src/engine/grading/scorers/registry.ts'
import { optionsFormOf, parseOptions, withOption } from '../../../../src/renderer/evaluators/scorer-options.ts'

const schemaOf = (id: string) => {
  const scorer = scorers.get(id)
  if (!scorer) throw new Error(`There is no scorer ${id}.`)
  return z.toJSONSchema(scorer.options, { io: 'input', unrepresentable: 'any' })
}

describe('options of a scorer', () => {
  test('have a field each, by their type', () => {
    expect(optionsFormOf(schemaOf('assay/exact_match'))).toMatchObject({
      fields: [
        { name: 'extraction', label: 'Extraction', kind: 'choice', values: expect.arrayContaining(['whole', 'boxed']), fallback: 'whole' },
        { name: 'remove', kind: 'texts', fallback: [] },
        { name: 'ignore_case', label: 'Ignore case', kind: 'switch', fallback: false, required: false },
        { name: 'ignore_punctuation', kind: 'switch' },
        { name: 'ignore_ends', kind: 'switch', fallback: false },
        { name: 'strip', kind: 'switch', fallback: true },
        { name: 'normalize_unicode', kind: 'switch', fallback: true },
        { name: 'no_answer', kind: 'choice', values: ['wrong', 'unscored'] },
      ],
      // A pattern of one's own.
      jsonOnly: ['Extraction'],
    })
    expect(optionsFormOf(schemaOf('assay/pattern')).fields[0]).toMatchObject({
      name: 'pattern',
      kind: 'text',
      required: true,
      maxLength: 1000,
    })
    expect(optionsFormOf(schemaOf('assay/edit_distance')).fields[0]).toMatchObject({ kind: 'number', whole: true, min: 0, max: null })
    expect(optionsFormOf(schemaOf('autoevals/ListContains')).fields[0]).toMatchObject({ label: 'Allow extra entities' })
  })

  test('that no field can express are left to JSON, and none is lost', () => {
    for (const { id } of scorers.values()) {
      const schema = schemaOf(id)
      const { fields, jsonOnly } = optionsFormOf(schema)
      const labels = new Set([...fields.map(({ label }) => label), ...jsonOnly])
      expect(labels.size, id).toBe(Object.keys(schema.properties ?? {}).length)
    }
    expect(optionsFormOf(schemaOf('assay/json_schema'))).toEqual({ fields: [], jsonOnly: ['Schema'] })
  })

  test('are set in the JSON; a default is taken out of it', () => {
    const field = { name: 'ignore_case', fallback: false }
    expect(JSON.parse(withOption({ strip: false }, field, true))).toEqual({ strip: false, ignore_case: true })
    expect(JSON.parse(withOption({ strip: false, ignore_case: true }, field, false))).toEqual({ strip: false })
    expect(JSON.parse(withOption({ max: 3 }, { name: 'max', fallback: undefined }, undefined))).toEqual({})
  })

  test('are an object or not readable', () => {
    expect(parseOptions('{"a":1}')).toEqual({ a: 1 })
    for (const text of ['', '[]', 'null', '{', '3']) expect(parseOptions(text)).toBeNull()
  })
})
