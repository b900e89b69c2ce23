import { isObject } from '../../../lib/json-value.ts'

const types: Readonly<Record<string, string | undefined>> = { dict: 'object', float: 'number', tuple: 'array', any: undefined }

/** The documentation of BFCL's parameters, whose types are Python's, as a JSON Schema. */
export function jsonSchemaOf(documented: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(documented).flatMap(([key, value]): [string, unknown][] => {
      if (key === 'type' && typeof value === 'string') {
        const type = Object.hasOwn(types, value) ? types[value] : value
        return type === undefined ? [] : [[key, type]]
      }
      if (key === 'properties' && isObject(value))
        return [[key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, isObject(each) ? jsonSchemaOf(each) : {}]))]]
      if (key === 'items' && isObject(value)) return [[key, jsonSchemaOf(value)]]
      if (key === 'default') return value === 'None' ? [] : [[key, value]]
      return ['description', 'required', 'enum'].includes(key) ? [[key, value]] : []
    }),
  )
}
