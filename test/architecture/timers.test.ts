import { expect, test } from 'vitest'
import { sources } from './sources.ts'

/** Callbacks of the service's timers that touch no data, or catch for themselves what they do, each with what follows the bracket. */
const harmless: readonly string[] = [
  'guarded(',
  // Without a callback it is a promise.
  ')',
  'resolve',
  // http: sockets, and turns of the loop.
  '() => body.destroy()',
  '() => strangers.has(socket)',
  '() => {\n          next = null',
  '() => {\n        turnMs = null',
  '() => {\n    if (performance.now() - lookedAt > period / 2) look()',
  'next',
  // engine: processes and requests that are ended, answers that are handed on; what these begin rejects nowhere else than to who waits.
  "() => child.kill('SIGKILL')",
  '() => runner.kill()',
  '() => {\n        waiting = null',
  '() => {\n      if (performance.now() - this.#dueAt > sleptMs) this.#await',
  "() => this.#settle({ how: 'enough' })",
  'abandon',
  'pump',
  // Each of these catches what it does.
  '() => {\n      const kept = newest.get(family)',
  '() => {\n        for (const [queued, ids] of pending) void send(queued, ids)',
  '() => ballast.lay()',
  'flush',
  'retry',
  'wake',
  // An abort.
  '() => late.abort()',
  '() => grace.abort()',
]

/** Timers with a callback that is neither guarded nor known to be harmless. */
function unguarded(text: string): string[] {
  return [...text.matchAll(/(?<![.\w])set(?:Timeout|Interval|Immediate)\(\s*/g)].flatMap(({ index, 0: call }) => {
    const callback = text.slice(index + call.length)
    return harmless.some(known => callback.startsWith(known)) ? [] : [callback.slice(0, 60)]
  })
}

// Nobody catches what a timer's callback throws: it would end the process, and again after each restart.
test('no timer of the service, or of what it runs, has a callback that can end the process', () => {
  const service = sources.filter(({ file }) => /^(?:service|engine|storage|lib)\//.test(file))
  expect(service.flatMap(({ file, text }) => unguarded(text).map(callback => `${file}: ${callback}`))).toEqual([])
})

test('such a timer is found', () => {
  expect(unguarded('setInterval(() => db.run(sql), 5)\nsetTimeout(\n  store,\n  5)')).toHaveLength(2)
  expect(unguarded('setInterval(guarded(look, tell), 5)\nawait setImmediate()\nnew Promise(resolve => setTimeout(resolve, 5))')).toEqual([])
})
