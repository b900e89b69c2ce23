import { afterAll, beforeAll } from 'vitest'
import { javascriptTier } from '../../../../src/engine/grading/sandbox/javascript-tier.ts'
import { linuxTier } from '../../../../src/engine/grading/sandbox/linux-tier.ts'
import { portableTier } from '../../../../src/engine/grading/sandbox/portable-tier.ts'
import { createSandbox, type Sandbox } from '../../../../src/engine/grading/sandbox/sandbox.ts'
import type { Language, Tier, TierId } from '../../../../src/engine/grading/sandbox/tier.ts'
import { sandboxFiles } from './files.ts'

/** The tier on this machine, or why there is none. */
export function tierHere(id: TierId): Promise<Tier | string> {
  if (id === 'quickjs') return javascriptTier(sandboxFiles)
  return id === 'linux' ? linuxTier(sandboxFiles) : portableTier(sandboxFiles)
}

/** The tier that tests of grading use: the quick one where it can start, the portable one elsewhere. */
async function anyTier(): Promise<Tier> {
  const tier = await tierHere('linux')
  if (typeof tier !== 'string') {
    const probe = tier.start('candidate')
    const isReady = await probe.ready.then(
      () => true,
      () => false,
    )
    await probe.close()
    if (isReady) return tier
  }
  const portable = await tierHere('portable')
  if (typeof portable === 'string') throw new Error(portable)
  return portable
}

async function quickjs(): Promise<Tier> {
  const tier = await tierHere('quickjs')
  if (typeof tier === 'string') throw new Error(tier)
  return tier
}

/** A sandbox for the tests of one file. */
export function useSandbox(language: Language = 'python', places = 2): () => Sandbox {
  let sandbox: Sandbox | null = null
  beforeAll(async () => {
    sandbox = createSandbox(language === 'python' ? await anyTier() : await quickjs(), places)
  })
  afterAll(() => sandbox?.close())
  return () => {
    if (!sandbox) throw new Error('The sandbox was not opened.')
    return sandbox
  }
}
