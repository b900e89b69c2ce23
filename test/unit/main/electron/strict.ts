import { EventEmitter } from 'node:events'
import { misfit, misfitArguments } from './check-value.ts'
import { declaredType, eventOf, memberOf } from './typings.ts'

/** The system that the stand-in plays: members of others are absent, as they are in Electron. */
export const played: { platform: NodeJS.Platform } = { platform: process.platform }

const emitterMembers = new Set([...Object.getOwnPropertyNames(EventEmitter.prototype), ...Object.getOwnPropertyNames(Object.prototype)])
/** Of Node's emitters. */
const emitterEvents = new Set<unknown>(['error', 'newListener', 'removeListener'])
const listening = new Set(['on', 'once', 'addListener', 'prependListener', 'prependOnceListener'])

/** Objects of the stand-in to what the shell is given of them, and the way back. */
const shownAs = new WeakMap<object, object>()
const standsFor = new WeakMap<object, { readonly raw: object; readonly type: string }>()

/** A class or module of the stand-in: tests use it as it is, the shell only through `strict`. */
export class Raw extends EventEmitter {
  /** Its name in Electron's typings. */
  readonly electronType: string
  destroyed = false
  constructor(electronType: string) {
    super()
    this.electronType = electronType
  }
  /** As the C++ side: listeners get strict objects, and only events that Electron has are emitted. */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (typeof event === 'string' && !emitterEvents.has(event)) {
      const parameters = eventOf(this.electronType, event)
      if (!parameters && declaredType(this.electronType)?.emits && this.electronType !== 'IpcMain' && this.electronType !== 'IpcRenderer')
        throw new TypeError(`${this.electronType} has no event "${event}".`)
    }
    return super.emit(event, ...args.map(strict))
  }
}

/** What the shell is given for a value: of an object of the stand-in its strict form, of all else the value. */
export function strict<Value>(value: Value): Value {
  if (!(value instanceof Raw) || standsFor.has(value)) return value
  const known = shownAs.get(value)
  if (known) return known as Value
  const proxy = guard(value, value.electronType)
  shownAs.set(value, proxy)
  return proxy as Value
}

/** The object of the stand-in behind a strict one. */
export const raw = <Value>(value: Value): Value =>
  (typeof value === 'object' && value !== null ? (standsFor.get(value)?.raw ?? value) : value) as Value

const nameOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null ? (standsFor.get(value)?.type ?? null) : null

/** A module without events, such as `dialog`: its functions, held to the typings of its type, or of its static side. */
export function strictModule<Module extends object>(module: Module, type: string, isStatic = false): Module {
  return guard(module, type, isStatic) as Module
}

/** A class: static members and `new` held to the typings. */
export function strictClass<Class extends new (...args: never[]) => Raw>(of: Class, type: string): Class {
  return new Proxy(of, {
    construct(target, args: unknown[]) {
      const wrong = misfitArguments(args, declaredType(type)?.constructors ?? [], `new ${type}`, nameOf)
      if (wrong !== null) throw new TypeError(wrong)
      return strict(Reflect.construct(target, args.map(raw)))
    },
    get(target, key) {
      if (typeof key === 'symbol' || key === 'prototype' || key === 'name' || key === 'length') return Reflect.get(target, key)
      return member(target, type, key, true)
    },
  })
}

function guard(target: object, type: string, isStatic = false): object {
  const proxy = new Proxy(target, {
    get(of, key) {
      if (typeof key === 'symbol' || key === 'then' || key === 'toJSON' || key in Object.prototype) return Reflect.get(of, key)
      return member(of, type, key, isStatic)
    },
    set(of, key, value) {
      const known = memberOf(type, String(key))
      if (!known || known.overloads.length > 0) throw new TypeError(`${type} has no property "${String(key)}" to set.`)
      const wrong = misfit(value, known.type, `${type}.${String(key)}`, nameOf)
      if (wrong !== null) throw new TypeError(wrong)
      return Reflect.set(of, key, value)
    },
  })
  standsFor.set(proxy, { raw: target, type })
  return proxy
}

function member(target: object, type: string, key: string, isStatic: boolean): unknown {
  const emits = target instanceof Raw && emitterMembers.has(key)
  if (!emits) {
    const known = memberOf(type, key, isStatic)
    if (!known) throw new TypeError(`Electron's ${type} has no member "${key}".`)
    if (known.platforms.length > 0 && !known.platforms.includes(played.platform)) return undefined
    if (target instanceof Raw && target.destroyed && key !== 'isDestroyed') throw new TypeError('Object has been destroyed')
    if (!(key in target)) throw new TypeError(`The stand-in for Electron's ${type} does not play "${key}".`)
    const value: unknown = Reflect.get(target, key)
    if (typeof value !== 'function') return strict(value)
    return (...args: unknown[]) => {
      if (target instanceof Raw && target.destroyed && key !== 'isDestroyed') throw new TypeError('Object has been destroyed')
      const wrong = misfitArguments(args, known.overloads, `${type}.${key}`, nameOf)
      if (wrong !== null) throw new TypeError(wrong)
      return strict(Reflect.apply(value, target, args.map(raw)))
    }
  }
  const value: unknown = Reflect.get(target, key)
  if (typeof value !== 'function') return value
  return (...args: unknown[]) => {
    const [event] = args
    const checked = listening.has(key) && typeof event === 'string' && !emitterEvents.has(event) && !type.startsWith('Ipc')
    if (checked && !eventOf(type, event)) throw new TypeError(`Electron's ${type} has no event "${event}".`)
    const result: unknown = Reflect.apply(value, target, args)
    return result === target ? strict(target) : result
  }
}
