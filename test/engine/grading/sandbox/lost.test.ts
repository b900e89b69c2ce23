import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import type { MetricPlan } from '../../../../src/engine/execution/scheduler/ports.ts'
import { createSandbox } from '../../../../src/engine/grading/sandbox/sandbox.ts'
import type { SandboxProcess } from '../../../../src/engine/grading/sandbox/sandbox-process.ts'
import { createWorldFunctions } from '../../../../src/engine/grading/sandbox/world-functions.ts'
import type { Tier, TierId } from '../../../../src/engine/grading/sandbox/tier.ts'
import { prepareCodeScorer } from '../../../../src/engine/grading/scorers/code/code-scorers.ts'
import type { ScoreInput } from '../../../../src/engine/grading/scorers/scorer.ts'
import { inScope } from '../../../support/sandbox-scope.ts'
import { sandboxFiles } from './files.ts'
import { tierHere } from './sandboxed.ts'

interface Case {
  readonly name: string
  readonly scorer: Pick<MetricPlan, 'scorer' | 'options'>
  readonly metadata: Record<string, unknown>
  readonly outputs: readonly string[]
}

const python: readonly Case[] = [
  {
    name: 'assertions',
    scorer: { scorer: 'evalplus/base', options: {} },
    metadata: { entry_point: 'f', prompt: '', test_list: ['assert f(2) == 4', 'assert f(3) == 6'] },
    outputs: ['def f(x): return 2 * x', 'def f(x): return 0', 'import os\ndef f(x): os._exit(0)'],
  },
  {
    name: 'inputs',
    scorer: { scorer: 'evalplus/plus', options: {} },
    metadata: {
      entry_point: 'f',
      prompt: '',
      canonical_solution: 'def f(x): return 2 * x',
      base_input: [[1], [2]],
      plus_input: [[3]],
    },
    outputs: ['def f(x): return 2 * x', 'def f(x): return x + 2'],
  },
  {
    name: 'programs',
    scorer: { scorer: 'livecodebench/all_tests', options: {} },
    metadata: {
      test_type: 'stdin',
      tests: [
        { input: '2', output: '4' },
        { input: '3', output: '6' },
      ],
    },
    outputs: ['```python\nprint(2 * int(input()))\n```', '```python\nprint(4)\n```'],
  },
]
/** Each process takes half a second to start. */
const portable = python.slice(0, 1).map(one => ({ ...one, outputs: one.outputs.slice(0, 1) }))
const javascript: readonly Case[] = [
  {
    name: 'inputs',
    scorer: { scorer: 'evalplus/base', options: { language: 'javascript' } },
    metadata: { entry_point: 'f', prompt: '', canonical_solution: 'function f(x) { return 2 * x }', base_input: [[1], [2]] },
    outputs: ['function f(x) { return 2 * x }', 'function f(x) { return 0 }'],
  },
]

let gradings = 0
const opened: (() => Promise<void>)[] = []
afterAll(async () => {
  await Promise.all(opened.map(close => close()))
})

describe.each([
  ['linux', python, ['server', 'outer', 'inner']],
  ['portable', portable, ['server']],
  ['quickjs', javascript, ['server']],
] as const)('a kill in the %s tier', (id: TierId, cases, victims) => {
  test('changes no verdict, at any step and of any process', async context => {
    const tier = await tierHere(id)
    if (typeof tier === 'string') return context.skip(tier)
    for (const one of cases) {
      for (const output of one.outputs) {
        const calm = await gradeWatched(tier, one, output, nothing)
        expect(calm.steps, one.name).toBeGreaterThan(0)
        const kills = victims
          .flatMap(victim => (['after', 'before'] as const).map(when => ({ victim, when })))
          .flatMap(how => Array.from({ length: calm.steps }, (_, step) => ({ ...how, step })))
        // The server of the linux tier is what all depend on, and quick to start.
        const always = kills.filter(({ victim, when }) => id === 'linux' && victim === 'server' && when === 'after')
        for (const { victim, when, step } of new Set([...always, ...inScope(kills)])) {
          let killed = 0
          const hit = await gradeWatched(tier, one, output, {
            ...nothing,
            [when]: (asked: number) => {
              if (asked === step && killed === 0) killed = kill(victim)
            },
          })
          const said = `${one.name}, ${output}, ${hit.steps} of ${calm.steps} steps, ${victim} killed ${when} step ${step} was sent`
          // Code that ends its process may have done so by then.
          if (when === 'before') expect(killed, said).toBeGreaterThan(0)
          expect(hit.verdict, said).toEqual(calm.verdict)
        }
      }
    }
  })

  test('is told apart from an end of the code, and after two there is no verdict', async context => {
    const tier = await tierHere(id)
    if (typeof tier === 'string') return context.skip(tier)
    for (const one of cases) {
      const everyTime = async (_step: number, asked: SandboxProcess) => {
        kill('server')
        await expect.poll(() => asked.isOver()).toBe(true)
      }
      const { verdict } = await gradeWatched(tier, one, one.outputs[0] ?? '', { ...nothing, before: everyTime })
      expect(verdict).toMatchObject({ value: null, class: 'unscored', label: 'sandbox_lost' })
      // What was asked of the reference while the sandbox was lost is asked again.
      const after = await gradeWatched(tier, one, one.outputs[0] ?? '', nothing)
      expect(after.verdict).toMatchObject({ value: 1 })
    }
  })
})

describe('a kill while an environment’s function is called', () => {
  test('changes no reply', async context => {
    const tier = await tierHere('quickjs')
    if (typeof tier === 'string') return context.skip(tier)
    const functions = createWorldFunctions(tier, sandboxFiles.worldHarness, 1, { idleMs: 60_000 })
    opened.push(() => functions.close())
    const call = () =>
      functions.call({
        source: '(state, { n }) => ({ state: { sum: state.sum + n }, result: 2 * n })',
        state: { sum: 1 },
        args: { n: 2 },
        now: 0,
        seed: 1,
        timeoutMs: 30_000,
      })
    const calm = await call()
    expect(calm).toEqual({ kind: 'value', value: ['{"sum":3}', '4', null] })
    expect(kill('server')).toBeGreaterThan(0)
    expect(await call()).toEqual(calm)
    const asked = call()
    expect(kill('server')).toBeGreaterThan(0)
    expect(await asked).toEqual(calm)
  })
})

/** What is done around each message to a sandboxed process; messages are numbered. */
interface Around {
  before(step: number, asked: SandboxProcess): void | Promise<void>
  after(step: number): void
}
const nothing: Around = { before: () => undefined, after: () => undefined }

/** A process that is started once it is needed: the spare ones that a sandbox keeps take half a second each, and most are never used. */
function lazily(start: () => SandboxProcess): SandboxProcess {
  let started: SandboxProcess | null = null
  const begin = () => (started ??= start())
  return {
    get ready() {
      return begin().ready
    },
    ask: (message, timeoutMs) => begin().ask(message, timeoutMs),
    isOver: () => started?.isOver() ?? false,
    close: () => started?.close() ?? Promise.resolve(),
  }
}

/** Grades one output in a sandbox of its own. */
async function gradeWatched(tier: Tier, { scorer, metadata }: Case, output: string, { before, after }: Around) {
  let steps = 0
  const watched: Tier = {
    ...tier,
    start: role => {
      const process = lazily(() => tier.start(role))
      const ask: SandboxProcess['ask'] = async (message, timeoutMs) => {
        await process.ready
        const step = steps++
        await before(step, process)
        const answer = process.ask(message, timeoutMs)
        await Promise.resolve()
        after(step)
        return answer
      }
      return {
        get ready() {
          return process.ready
        },
        ask,
        isOver: () => process.isOver(),
        close: () => process.close(),
      }
    },
  }
  const sandbox = createSandbox(watched, 1)
  opened.push(() => sandbox.close())
  const grade = prepareCodeScorer(scorer, { python: sandbox, javascript: sandbox })
  // The reference's values are kept by its text; each grading asks for them anew.
  const reference = metadata['canonical_solution']
  const fresh =
    typeof reference === 'string'
      ? { canonical_solution: reference.replaceAll('f(x)', `f(x${++gradings})`).replace('* x', `* x${gradings}`) }
      : {}
  const input: ScoreInput = { output, targets: [], metadata: { ...metadata, ...fresh } }
  const { value, class: name, label } = await grade(input)
  await sandbox.close()
  return { steps, verdict: { value, class: name, label } }
}

/** Kills every process of a kind that this process has started. @returns how many */
function kill(victim: 'server' | 'outer' | 'inner'): number {
  const servers = childrenOf(process.pid).filter(pid => /fork_server|-wasm\.worker/.test(commandOf(pid)))
  const found = { server: servers, outer: servers.flatMap(childrenOf), inner: servers.flatMap(childrenOf).flatMap(childrenOf) }[victim]
  return found.filter(pid => {
    try {
      return process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
      return false
    }
  }).length
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        return (
          readFileSync(`/proc/${pid}/stat`, 'utf8')
            .replace(/^.*\) /, '')
            .split(' ')[1] === String(parent)
        )
      } catch {
        return false
      }
    })
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
