import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type BindingPattern, type Node, parseSync, type TSType } from 'oxc-parser'

/** A parameter of a method, as Electron's typings declare it. */
export interface Parameter {
  readonly name: string
  readonly type: TSType | null
  readonly optional: boolean
  readonly rest: boolean
}

/** One property, or all overloads of one method. */
export interface Member {
  readonly overloads: readonly Parameter[][]
  /** Of a property; null for methods. */
  readonly type: TSType | null
  readonly optional: boolean
  readonly readonly: boolean
  readonly isStatic: boolean
  /** From the tag `@platform`; empty where it exists everywhere. */
  readonly platforms: readonly string[]
}

export interface Declared {
  readonly name: string
  readonly parent: string | null
  readonly members: ReadonlyMap<string, Member>
  readonly events: ReadonlyMap<string, readonly Parameter[]>
  readonly constructors: readonly Parameter[][]
  readonly emits: boolean
  readonly takesAnyKey: boolean
}

const file = join(dirname(createRequire(import.meta.url).resolve('electron/package.json')), 'electron.d.ts')
const text = readFileSync(file, 'utf8')
const { program, comments } = parseSync(file, text)
const platformTags = comments
  .filter(({ value }) => value.includes('@platform'))
  .map(({ end, value }) => ({ end, platforms: /@platform ([\w,]+)/.exec(value)?.[1]?.split(',') ?? [] }))

const aliases = new Map<string, TSType>()
const declared = new Map<string, Declared>()

for (const statement of program.body) {
  if (statement.type === 'TSTypeAliasDeclaration') aliases.set(statement.id.name, statement.typeAnnotation)
  if (statement.type !== 'TSModuleDeclaration' || !('name' in statement.id) || statement.id.name !== 'Electron') continue
  for (const inner of statement.body && 'body' in statement.body ? statement.body.body : []) declare(inner)
}

function declare(statement: Node): void {
  const node = 'declaration' in statement && statement.declaration ? statement.declaration : statement
  if (node.type === 'TSTypeAliasDeclaration') aliases.set(node.id.name, node.typeAnnotation)
  else if (node.type === 'TSInterfaceDeclaration') {
    const [parent] = node.extends
    read(node.id.name, parent ? text.slice(parent.expression.start, parent.expression.end) : null, node.body.body)
  } else if (node.type === 'ClassDeclaration' && node.id)
    read(node.id.name, node.superClass ? text.slice(node.superClass.start, node.superClass.end) : null, node.body.body)
}

function read(name: string, parent: string | null, body: readonly Node[]): void {
  const members = new Map<string, Member>()
  const events = new Map<string, readonly Parameter[]>()
  const constructors: Parameter[][] = []
  for (const node of body) {
    const key = keyOf(node)
    if (key === null) continue
    const platforms = platformsOf(node)
    if (node.type === 'MethodDefinition' || node.type === 'TSMethodSignature') {
      const parameters = ('value' in node ? node.value.params : node.params).map(parameterOf)
      if (key === 'constructor') constructors.push(parameters)
      else if (key === 'on') addEvent(events, parameters)
      else {
        const before = members.get(key)
        const isStatic = node.type === 'MethodDefinition' && node.static
        const overloads = [...(before?.overloads ?? []), parameters]
        members.set(key, { overloads, type: null, optional: node.optional === true, readonly: true, isStatic, platforms })
      }
    } else if (node.type === 'PropertyDefinition' || node.type === 'TSPropertySignature') {
      members.set(key, {
        overloads: [],
        type: node.typeAnnotation?.typeAnnotation ?? null,
        optional: node.optional === true,
        readonly: node.readonly === true,
        isStatic: node.type === 'PropertyDefinition' && node.static,
        platforms,
      })
    }
  }
  const takesAnyKey = body.length === 0 || body.some(node => node.type === 'TSIndexSignature')
  declared.set(name, {
    name,
    parent,
    members,
    events,
    constructors,
    emits: events.size > 0 || parent === 'NodeJS.EventEmitter',
    takesAnyKey,
  })
}

/** The overload `on(event: 'closed', listener: (…) => void)` as the event and what its listener is given. */
function addEvent(events: Map<string, readonly Parameter[]>, [event, listener]: readonly Parameter[]): void {
  if (event?.type?.type !== 'TSLiteralType' || event.type.literal.type !== 'Literal') return
  const listens = listener?.type
  const unwrapped = listens?.type === 'TSParenthesizedType' ? listens.typeAnnotation : listens
  events.set(String(event.type.literal.value), unwrapped?.type === 'TSFunctionType' ? unwrapped.params.map(parameterOf) : [])
}

function keyOf(node: Node): string | null {
  if (!('key' in node) || !node.key || typeof node.key !== 'object') return null
  if ('name' in node.key && typeof node.key.name === 'string') return node.key.name
  return 'value' in node.key ? String(node.key.value) : null
}

function parameterOf(node: Node): Parameter {
  const rest = node.type === 'RestElement'
  const pattern = rest ? node.argument : (node as BindingPattern)
  const annotation = rest ? (node.typeAnnotation ?? null) : 'typeAnnotation' in pattern ? pattern.typeAnnotation : null
  return {
    name: 'name' in pattern && typeof pattern.name === 'string' ? pattern.name : 'argument',
    type: annotation && 'typeAnnotation' in annotation ? (annotation.typeAnnotation as TSType) : null,
    optional: 'optional' in pattern && pattern.optional === true,
    rest,
  }
}

/** The tag of the comment right before a member. */
function platformsOf(node: Node): readonly string[] {
  const tag = platformTags.find(({ end }) => end <= node.start && text.slice(end, node.start).trim() === '')
  return tag?.platforms ?? []
}

export function declaredType(name: string): Declared | undefined {
  return declared.get(name)
}

export function aliasOf(name: string): TSType | undefined {
  return aliases.get(name)
}

/** The member of a type or of what it extends. */
export function memberOf(name: string, key: string, isStatic = false): Member | undefined {
  for (let type = declared.get(name); type; type = declared.get(type.parent ?? '')) {
    const member = type.members.get(key)
    if (member && member.isStatic === isStatic) return member
  }
  return undefined
}

/** What a listener of an event is given; undefined for an event that Electron does not have. */
export function eventOf(name: string, event: string): readonly Parameter[] | undefined {
  for (let type = declared.get(name); type; type = declared.get(type.parent ?? '')) {
    const parameters = type.events.get(event)
    if (parameters) return parameters
  }
  return undefined
}

export function extendsType(name: string, ancestor: string): boolean {
  for (let type = declared.get(name); type; type = declared.get(type.parent ?? '')) if (type.name === ancestor) return true
  return false
}

/** All members of a type and of what it extends. */
export function membersOf(name: string): ReadonlyMap<string, Member> {
  const all = new Map<string, Member>()
  for (let type = declared.get(name); type; type = declared.get(type.parent ?? ''))
    for (const [key, member] of type.members) if (!all.has(key)) all.set(key, member)
  return all
}

/** Source text of a type, for messages. */
export const textOf = (type: TSType): string => text.slice(type.start, type.end).replaceAll(/\s+/g, ' ').slice(0, 120)
