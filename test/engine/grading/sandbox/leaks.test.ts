import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { MetricPlan } from '../../../../src/engine/execution/scheduler/ports.ts'
import { createCodePool } from '../../../../src/workers/code-pool.ts'
import { createSandbox } from '../../../../src/engine/grading/sandbox/sandbox.ts'
import { runTests } from '../../../../src/engine/grading/scorers/code/run-tests.ts'
import { tierHere } from './sandboxed.ts'
import { patience } from '../../../support/machine-speed.ts'

/** A few in the usual tests; `npm run test:sandbox` makes it 500. */
const runs = Number(process.env['ASSAY_SANDBOX_RUNS'] ?? 10)

/** What hostile code leaves behind where it can: processes, files, memory. */
const sources = [
  'def f(x): return 2 * x',
  'import os\nfor i in range(50):\n  try: open(f"left-{i}", "w").write("x" * 10000)\n  except OSError: pass\ndef f(x): return 2 * x',
  'import os\ntry:\n  os.setsid()\n  os.fork()\nexcept OSError: pass\ndef f(x): return 2 * x',
  'import threading, time\ntry: threading.Thread(target=time.sleep, args=(99,), daemon=True).start()\nexcept RuntimeError: pass\ndef f(x): return 2 * x',
  'held = bytearray(100 << 20)\ndef f(x): return 2 * x',
]

test.each(['linux', 'portable'] as const)(
  'the %s tier leaves no process, file, mount or memory behind',
  { timeout: 900_000 * patience() },
  async id => {
    const tier = await tierHere(id)
    if (typeof tier === 'string') return
    const count = id === 'linux' ? runs : Math.max(2, Math.ceil(runs / 5))
    const before = traces()
    const sandbox = createSandbox(tier, 2)
    const suite = { prelude: '', entry: 'f', names: [], tests: ['assert f(2) == 4'] }
    const memory: number[] = []
    for (let done = 0; done < count; done += 10) {
      const outcomes = await Promise.all(
        Array.from({ length: Math.min(10, count - done) }, (_, i) =>
          runTests(sandbox, { source: sources[(done + i) % sources.length] ?? '' }, suite, null),
        ),
      )
      expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'passed'))
      memory.push(process.memoryUsage.rss() / 2 ** 20)
    }
    await sandbox.close()
    expect(traces()).toEqual(before)
    expect((memory.at(-1) ?? 0) - (memory[0] ?? 0)).toBeLessThan(100)
  },
)

test.skipIf(process.platform !== 'linux')('an idle code thread ends its processes and waits for them (Linux only)', async () => {
  const before = sandboxed()
  const filename = fileURLToPath(new URL('../../../../src/workers/code.worker.ts', import.meta.url))
  const pool = createCodePool({ filename, sandboxCache: tmpdir(), idleMs: 200 })
  const metadata = { entry_point: 'f', prompt: '', test_list: ['assert f(2) == 4'] }
  const scores = await pool.grade(
    [{ scorer: 'evalplus/base', options: {} } as MetricPlan],
    [{ output: 'def f(x): return 2 * x', targets: [], metadata }],
  )
  expect(scores[0]?.[0]?.value).toBe(1)
  // The thread is still there: only then is there one that can wait for them.
  await expect.poll(sandboxed).toEqual(before)
  await pool.close()
})

/** What a run could leave: sandboxed processes, our temporary files, mounts. */
function traces() {
  return {
    processes: process.platform === 'linux' ? sandboxed() : [],
    files: readdirSync(tmpdir()).filter(name => name.startsWith(`assay-probe-${process.pid}-`)),
    mounts: process.platform === 'linux' ? mounts() : [],
  }
}

/** Where the root of a sandbox is put together; what other tests mount beside it is theirs. */
function mounts(): string[] {
  return readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .filter(line => /^\S+ \/tmp(\/(usr|lib|lib64|dev|work|old)\S*)? /.test(line))
}

/** Children of this very process that run a sandbox, or that nothing has waited for; other tests have their own. */
function sandboxed(): string[] {
  return readdirSync('/proc').filter(pid => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const parent = /^PPid:\s*(\d+)$/m.exec(status)?.[1]
      const isDefunct = /^State:\s*Z/m.test(status)
      return parent === String(process.pid) && (isDefunct || /fork_server|python-wasm/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')))
    } catch {
      return false
    }
  })
}
