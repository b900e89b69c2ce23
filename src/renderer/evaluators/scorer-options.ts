import { isObject } from '../../lib/json-value.ts'

/** An option of a scorer that a form field can set. */
export type OptionField = {
  readonly name: string
  readonly label: string
  readonly description: string | null
  readonly required: boolean
  /** What the scorer takes without it; undefined where it states nothing. */
  readonly fallback: unknown
} & (
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'text'; readonly maxLength: number | null }
  | { readonly kind: 'number'; readonly min: number | null; readonly max: number | null; readonly whole: boolean }
  | { readonly kind: 'texts' }
)

export interface OptionsForm {
  readonly fields: readonly OptionField[]
  /** Options, or values of them, that only JSON can express. */
  readonly jsonOnly: readonly string[]
}

type Json = Readonly<Record<string, unknown>>

/** The fields for the options that a scorer declares. */
export function optionsFormOf(schema: Json): OptionsForm {
  const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {})
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const fields: OptionField[] = []
  const jsonOnly: string[] = []
  for (const [name, property] of properties) {
    if (!isObject(property)) continue
    const { field, isWhole } = fieldOf(name, property, required.includes(name))
    if (field) fields.push(field)
    if (!isWhole) jsonOnly.push(labelOf(name))
  }
  return { fields, jsonOnly }
}

function fieldOf(name: string, property: Json, required: boolean): { readonly field: OptionField | null; readonly isWhole: boolean } {
  const { description } = property
  const about = {
    name,
    label: labelOf(name),
    description: typeof description === 'string' ? description : null,
    required,
    fallback: property['default'],
  }
  const alternatives = Array.isArray(property['anyOf']) ? property['anyOf'].filter(isObject) : null
  if (alternatives) {
    const values = alternatives.map(valuesOf).find(found => found !== null)
    return { field: values ? { ...about, kind: 'choice', values } : null, isWhole: false }
  }
  const values = valuesOf(property)
  if (values) return { field: { ...about, kind: 'choice', values }, isWhole: true }
  switch (property['type']) {
    case 'boolean':
      return { field: { ...about, kind: 'switch' }, isWhole: true }
    case 'string':
      return { field: { ...about, kind: 'text', maxLength: numberOrNull(property['maxLength']) }, isWhole: true }
    case 'number':
    case 'integer':
      return {
        field: {
          ...about,
          kind: 'number',
          min: numberOrNull(property['minimum']),
          max: numberOrNull(property['maximum']),
          whole: property['type'] === 'integer',
        },
        isWhole: true,
      }
    case 'array':
      return isObject(property['items']) && property['items']['type'] === 'string'
        ? { field: { ...about, kind: 'texts' }, isWhole: true }
        : { field: null, isWhole: false }
    default:
      return { field: null, isWhole: false }
  }
}

function valuesOf(schema: Json): readonly string[] | null {
  const { enum: values } = schema
  return Array.isArray(values) && values.every(value => typeof value === 'string') ? values : null
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null
}

/** `ignore_case` and `allowExtraEntities` as labels. */
export function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The options of a form's JSON; null where it is not an object. */
export function parseOptions(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** The JSON with one option set; undefined or the scorer's default takes it out. */
export function withOption(options: Json, { name, fallback }: Pick<OptionField, 'name' | 'fallback'>, value: unknown): string {
  const { [name]: _, ...rest } = options
  const isDefault = value === undefined || JSON.stringify(value) === JSON.stringify(fallback)
  return JSON.stringify(isDefault ? rest : { ...rest, [name]: value }, null, 2)
}
