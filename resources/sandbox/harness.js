/**
 * What stands inside QuickJS beside model-written JavaScript: it calls what the code defines and gives the value back as text. There is
 * no function of the host in here; one text comes in, one goes out. Its value is a function from a command to a reply, both JSON.
 */
;(() => {
  const { parse, stringify } = JSON
  const evaluate = globalThis.eval
  const silent = () => undefined
  const said =
    'assert clear count countReset debug dir dirxml error group groupCollapsed groupEnd info log table time timeEnd timeLog trace warn'
  globalThis.console = Object.fromEntries(said.split(' ').map(name => [name, silent]))
  globalThis.module = { exports: {} }
  globalThis.exports = globalThis.module.exports

  /** There are no modules in here: what one exports can be named, and is an error where it is used. The host knows which names are modules. */
  globalThis.require = name => standIn(String(name))
  const standIns = new WeakMap()

  function standIn(module) {
    // A function by its full form, since `new` is tried on it too.
    const use = function () {
      throw Object.assign(new Error(`Cannot find module '${module}'`), { module })
    }
    const value = new Proxy(use, { apply: use, construct: use, get: (_, key) => (typeof key === 'symbol' ? use() : standIn(module)) })
    standIns.set(value, use)
    return value
  }

  const float = value => (Number.isNaN(value) ? 'nan' : value === Infinity ? 'inf' : value === -Infinity ? '-inf' : String(value))

  /** JSON, with `{t, v}` for what JSON has not; what has no plain form equals nothing. */
  function encode(value) {
    standIns.get(value)?.()
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
    if (typeof value === 'number') return Number.isSafeInteger(value) ? value : { t: 'float', v: float(value) }
    if (typeof value === 'bigint') return { t: 'int', v: value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}` }
    if (Array.isArray(value) || ArrayBuffer.isView(value)) return { t: 'list', v: Array.from(value, encode) }
    if (value instanceof Set) return { t: 'set', v: Array.from(value, encode) }
    if (value instanceof Map) return { t: 'dict', v: Array.from(value, ([key, item]) => [encode(key), encode(item)]) }
    const kind = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined
    if (kind === Object.prototype || kind === null) return { t: 'dict', v: Object.entries(value).map(([key, item]) => [key, encode(item)]) }
    return { t: typeof value, v: null }
  }

  const whole = value => (Number.isSafeInteger(Number(value)) ? Number(value) : value)

  function decode(value) {
    if (typeof value !== 'object' || value === null) return value
    const { t, v } = value
    if (t === 'float') return { nan: NaN, inf: Infinity, '-inf': -Infinity }[v] ?? Number(v)
    if (t === 'int') return whole(v.startsWith('-') ? -BigInt(v.slice(1)) : BigInt(v))
    if (t === 'dict') return Object.fromEntries(v.map(([key, item]) => [decode(key), decode(item)]))
    if (t === 'set' || t === 'frozenset') return new Set(v.map(decode))
    return v.map(decode)
  }

  /** What the code calls by that name, whether it declared or exported it. */
  function find(name) {
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) throw new SyntaxError(`${name} is not a name`)
    const exported = globalThis.module.exports
    if (typeof exported === 'function' && exported.name === name) return exported
    return exported?.[name] ?? evaluate(name)
  }

  return line => {
    try {
      const { op, target, args } = parse(line)
      if (op !== 'call') throw new TypeError(`there is no command ${op}`)
      const called = find(target)
      return stringify({ value: encode(called(...(args ?? []).map(decode))) })
    } catch (error) {
      return stringify({
        error: { type: String(error?.name ?? typeof error), message: String(error?.message ?? error).slice(0, 500), module: error?.module },
      })
    }
  }
})()
