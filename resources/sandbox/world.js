/**
 * One call of a world's tool, in an interpreter that has run nothing: a text with source, state, arguments, time and seed comes in, a text
 * with the new state and the result goes out. Clock and randomness follow from the task, so that the same call gives the same result.
 */
;(() => {
  const { parse, stringify } = JSON
  const evaluate = globalThis.eval
  const Clock = globalThis.Date
  const TypeFault = TypeError
  const { apply, construct } = Reflect

  /** Replaces what differs from run to run. Nothing that is left leads back to the clock of the machine. */
  function fixChance(now, seed) {
    function Date(...given) {
      if (new.target === undefined) return new Clock(now).toString()
      return construct(Clock, given.length === 0 ? [now] : given, new.target === Date ? Clock : new.target)
    }
    Date.prototype = Clock.prototype
    Date.now = () => now
    Date.parse = Clock.parse
    Date.UTC = Clock.UTC
    Clock.prototype.constructor = Date
    globalThis.Date = Date
    // mulberry32
    let a = seed >>> 0
    Math.random = () => {
      a = (a + 0x6d2b79f5) >>> 0
      let t = a
      t = Math.imul(t ^ (t >>> 15), t | 1)
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296
    }
    for (const name of ['performance', 'WeakRef', 'FinalizationRegistry', 'Atomics', 'SharedArrayBuffer']) delete globalThis[name]
    const silent = () => undefined
    const said = 'assert clear count debug dir error group groupEnd info log table time timeEnd trace warn'
    globalThis.console = Object.fromEntries(said.split(' ').map(name => [name, silent]))
  }

  return text => {
    const { source, state, args, now, seed } = parse(text)
    fixChance(now, seed)
    try {
      const called = evaluate(`(${source}\n)`)
      if (typeof called !== 'function') throw new TypeFault('the source is no function')
      const answered = apply(called, undefined, [state, args])
      if (typeof answered !== 'object' || answered === null)
        throw new TypeFault('the function must return { state, result } or { state, error }')
      if (typeof answered.then === 'function') throw new TypeFault('the function must not be async')
      const { state: next = state, result = null, error } = answered
      return stringify({ value: [stringify(next), stringify(result) ?? 'null', error === undefined ? null : String(error)] })
    } catch (fault) {
      return stringify({ error: { type: String(fault?.name ?? typeof fault), message: String(fault?.message ?? fault).slice(0, 500) } })
    }
  }
})()
