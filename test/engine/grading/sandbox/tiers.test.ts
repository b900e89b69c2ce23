import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { command } from '../../../../src/engine/grading/sandbox/converse.ts'
import { javascriptProbes } from '../../../../src/engine/grading/sandbox/javascript-probes.ts'
import { pythonProbes } from '../../../../src/engine/grading/sandbox/probes.ts'
import { SandboxLostError } from '../../../../src/engine/grading/sandbox/sandbox-process.ts'
import { createSandbox } from '../../../../src/engine/grading/sandbox/sandbox.ts'
import { selfTest } from '../../../../src/engine/grading/sandbox/self-test.ts'
import { linuxBounds, type Tier } from '../../../../src/engine/grading/sandbox/tier.ts'
import { inScope } from '../../../support/sandbox-scope.ts'
import { tierHere } from './sandboxed.ts'

const shared = new URL('../../../../../shared/badinput/own/sandbox_probes.json', import.meta.url)

test.skipIf(!existsSync(shared))('every shared probe is among ours (skipped where ../shared is absent)', () => {
  const wanted: { id: string }[] = JSON.parse(readFileSync(shared, 'utf8'))
  const ours = new Set(pythonProbes.map(({ id }) => id))
  expect(wanted.map(({ id }) => id).filter(id => !ours.has(id))).toEqual([])
  expect(wanted.length).toBeGreaterThanOrEqual(41)
})

const python = {
  probes: pythonProbes,
  endless: 'import builtins\nbuiltins.len = None\nwhile True: pass',
  next: 'def f(): return len("four")',
}
const javascript = {
  probes: javascriptProbes,
  endless: 'Array.from = null; while (true) {}',
  next: 'const f = () => Array.from("four").length',
}
const tiers = [
  ['linux', python],
  ['portable', python],
  ['quickjs', javascript],
] as const

describe.each(tiers)('the %s tier', (id, texts) => {
  test('lets no probe through and leaves nothing behind', async context => {
    const tier = await tierHere(id)
    if (typeof tier === 'string') return context.skip(tier)
    // Each probe of the portable tier starts an interpreter of a second.
    const probes = id === 'portable' ? inScope(texts.probes) : texts.probes
    expect(await selfTest(tier, probes)).toEqual({ probes: probes.length, failures: [] })
    expect(readdirSync(tmpdir()).filter(name => name.startsWith(`assay-probe-${process.pid}-`))).toEqual([])
  })

  test('is found out when it is none', async context => {
    const tier = await tierHere(id)
    if (typeof tier === 'string') return context.skip(tier)
    const { failures } = await selfTest(tier, [{ id: 'harmless', code: 'return 1', expect: 'raises' }])
    expect(failures).toEqual([{ id: 'harmless', got: 'it returned 1' }])
  })

  test('kills endless code and runs the next code in a fresh process', async context => {
    const tier = await tierHere(id)
    if (typeof tier === 'string') return context.skip(tier)
    const sandbox = createSandbox(tier, 1)
    const first = await sandbox.use(room => load(room.candidate(), texts.endless, 500))
    expect(first.kind).toBe('timeout')
    const second = await sandbox.use(async room => {
      const candidate = room.candidate()
      await load(candidate, texts.next, 20_000)
      return command(candidate, { op: 'call', target: 'f' }, 5_000)
    })
    expect(second).toEqual({ kind: 'value', value: 4 })
    await sandbox.close()
  })
})

test('a tier that does not start fails every probe', async () => {
  const broken: Tier = { ...facts, start: () => dead, renew: () => undefined, close: () => Promise.resolve() }
  const { failures } = await selfTest(broken, pythonProbes.slice(0, 3))
  expect(failures[0]?.got).toBe('The sandbox does not start: no such thing')
})

const facts = { id: 'linux', title: '', protects: '', limits: '', language: 'python', interpreter: '', bounds: linuxBounds } as const
const dead = {
  ready: Promise.resolve(''),
  ask: () => Promise.reject(new SandboxLostError('no such thing')),
  isOver: () => true,
  close: () => Promise.resolve(),
}

function load(candidate: Parameters<typeof command>[0], source: string, timeoutMs: number) {
  return command(candidate, { op: 'load', source }, timeoutMs)
}
