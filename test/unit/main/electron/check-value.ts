import type { TSType } from 'oxc-parser'
import { aliasOf, declaredType, extendsType, membersOf, type Parameter, textOf } from './typings.ts'

/** Types that are not Electron's, and how a value of one is known. What is in neither list takes any value. */
const others: Readonly<Record<string, (value: unknown) => boolean>> = {
  Buffer: value => Buffer.isBuffer(value),
  Uint8Array: value => value instanceof Uint8Array,
  ArrayBuffer: value => value instanceof ArrayBuffer,
  Date: value => value instanceof Date,
  Promise: value => typeof Object(value).then === 'function',
  Function: value => typeof value === 'function',
  Response: value => value instanceof Response,
  GlobalResponse: value => value instanceof Response,
}

/** Name of the type of a stand-in's object; null for any other value. */
export type NameOf = (value: unknown) => string | null

/** Why a value is none of a type of Electron's typings; null where it is one. */
export function misfit(value: unknown, type: TSType | null, path: string, nameOf: NameOf): string | null {
  if (type === null) return null
  const no = () => `${path} must be ${textOf(type)}, not ${shown(value)}`
  switch (type.type) {
    case 'TSStringKeyword':
      return typeof value === 'string' ? null : no()
    case 'TSNumberKeyword':
      return typeof value === 'number' && !Number.isNaN(value) ? null : no()
    case 'TSBooleanKeyword':
      return typeof value === 'boolean' ? null : no()
    case 'TSNullKeyword':
      return value === null ? null : no()
    case 'TSUndefinedKeyword':
    case 'TSVoidKeyword':
      return value === undefined ? null : no()
    case 'TSLiteralType':
      return type.literal.type === 'Literal' && type.literal.value === value ? null : no()
    case 'TSFunctionType':
      return typeof value === 'function' ? null : no()
    case 'TSParenthesizedType':
      return misfit(value, type.typeAnnotation, path, nameOf)
    case 'TSTypeOperator':
      return misfit(value, type.typeAnnotation, path, nameOf)
    case 'TSArrayType':
      return Array.isArray(value) ? first(value.map((item, index) => misfit(item, type.elementType, `${path}[${index}]`, nameOf))) : no()
    case 'TSUnionType': {
      const misfits = type.types.map(one => misfit(value, one, path, nameOf))
      // The one that says most: of an object, which of its fields is wrong.
      return misfits.includes(null) ? null : (misfits.find(reason => reason?.startsWith(`${path}.`)) ?? no())
    }
    case 'TSTypeReference':
      return misfitReference(value, type, path, nameOf)
    default:
      return null
  }
}

function misfitReference(value: unknown, type: Extract<TSType, { type: 'TSTypeReference' }>, path: string, nameOf: NameOf): string | null {
  const name = textOf(type)
    .replace(/<.*/, '')
    .replace(/^Electron\./, '')
  const no = `${path} must be ${textOf(type)}, not ${shown(value)}`
  const alias = aliasOf(name)
  if (alias) return misfit(value, alias, path, nameOf)
  if (name === 'Array') {
    if (!Array.isArray(value)) return no
    const item = type.typeArguments?.params[0] ?? null
    return first(value.map((one, index) => misfit(one, item, `${path}[${index}]`, nameOf)))
  }
  if (name === 'Record') return typeof value === 'object' && value !== null ? null : no
  const other = others[name]
  if (other) return other(value) ? null : no
  const declared = declaredType(name)
  if (!declared) return null
  const standIn = nameOf(value)
  if (standIn !== null) return extendsType(standIn, name) ? null : no
  // An object with methods is made by Electron alone.
  if (declared.emits || declared.constructors.length > 0 || [...declared.members.values()].some(member => member.overloads.length > 0))
    return no
  return misfitFields(value, name, path, nameOf)
}

/** Every field must be known and fit, and what is required must be there. */
function misfitFields(value: unknown, name: string, path: string, nameOf: NameOf): string | null {
  if (typeof value !== 'object' || value === null) return `${path} must be ${name}, not ${shown(value)}`
  const known = membersOf(name)
  const unknown = declaredType(name)?.takesAnyKey ? undefined : Object.keys(value).find(key => !known.has(key))
  if (unknown !== undefined) return `${path}.${unknown} is unknown to Electron's ${name}`
  return first(
    [...known].map(([key, member]) => {
      const field: unknown = Reflect.get(value, key)
      if (field === undefined) return member.optional ? null : `${path}.${key} is missing (${name})`
      return misfit(field, member.type, `${path}.${key}`, nameOf)
    }),
  )
}

/** Why arguments fit none of a method's overloads; null where they fit one. */
export function misfitArguments(args: readonly unknown[], overloads: readonly Parameter[][], call: string, nameOf: NameOf): string | null {
  const misfits = overloads.map(parameters => {
    const rest = parameters.at(-1)?.rest === true
    if (args.length > parameters.length && !rest) return `${call} takes ${parameters.length} arguments, not ${args.length}`
    return first(
      parameters.map((parameter, index) => {
        if (parameter.rest) return null
        const value = args[index]
        if (value === undefined) return parameter.optional ? null : `${call}: argument "${parameter.name}" is missing`
        return misfit(value, parameter.type, `${call}: ${parameter.name}`, nameOf)
      }),
    )
  })
  return misfits.length === 0 || misfits.includes(null) ? null : (misfits.at(-1) ?? null)
}

const first = (reasons: readonly (string | null)[]): string | null => reasons.find(reason => reason !== null) ?? null

function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return `an object (${Object.keys(value).slice(0, 5).join(', ')})`
  return String(value).slice(0, 80)
}
