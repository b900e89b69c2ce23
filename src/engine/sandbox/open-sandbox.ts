import { availableParallelism } from 'node:os'
import { linuxTier } from './linux-tier.ts'
import { portableTier } from './portable-tier.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'
import { selfTest } from './self-test.ts'
import type { SandboxFiles, Tier, TierId } from './tier.ts'

/** One tier as a person is told of it. */
export interface TierReport {
  readonly id: TierId
  readonly title: string
  readonly available: boolean
  /** Why it is available, or why not and what to do. */
  readonly reason: string
}

export interface SandboxReport {
  /** Strongest first. */
  readonly tiers: readonly TierReport[]
  /** The one that code runs in; null where there is none. */
  readonly chosen: TierId | null
}

const found: readonly { readonly id: TierId; readonly title: string; find(files: SandboxFiles): Promise<Tier | string> }[] = [
  { id: 'linux', title: 'Linux namespaces with the system’s Python', find: linuxTier },
  { id: 'portable', title: 'Python in WebAssembly', find: portableTier },
]

/**
 * Tries the tiers from the strongest on, each with every probe, and opens the first that lets none through.
 * @param every tries the others too, only to report on them
 */
export async function openSandbox(
  files: SandboxFiles,
  { every = false }: { readonly every?: boolean } = {},
): Promise<{ readonly report: SandboxReport; readonly sandbox: Sandbox | null }> {
  const tiers: TierReport[] = []
  let chosen: Tier | null = null
  for (const { id, title, find } of found) {
    if (chosen && !every) {
      tiers.push({ id, title, available: false, reason: 'Not tried: a stronger one is available. "npm run doctor -- --sandbox" tries it.' })
      continue
    }
    const { tier, reason } = await examine(find, files)
    tiers.push({ id, title, available: tier !== null, reason })
    chosen ??= tier
  }
  return { report: { tiers, chosen: chosen?.id ?? null }, sandbox: chosen && createSandbox(chosen, places()) }
}

/** Opens a tier that `openSandbox` has chosen since the service started, without trying it again. @throws Error when it is gone */
export async function reopenSandbox(files: SandboxFiles, chosen: TierId): Promise<Sandbox> {
  const tier = await found.find(({ id }) => id === chosen)?.find(files)
  if (tier === undefined || typeof tier === 'string') throw new Error(`The sandbox "${chosen}" is gone. ${tier ?? ''}`)
  return createSandbox(tier, places())
}

/** Checks at a time: each keeps a core busy. */
function places(): number {
  return Math.max(1, Math.min(4, availableParallelism()))
}

async function examine(
  find: (files: SandboxFiles) => Promise<Tier | string>,
  files: SandboxFiles,
): Promise<{ readonly tier: Tier | null; readonly reason: string }> {
  const tier = await find(files)
  if (typeof tier === 'string') return { tier: null, reason: tier }
  const { probes, failures } = await selfTest(tier)
  const [first] = failures
  if (first)
    return {
      tier: null,
      reason: `${failures.length} of ${probes} probes were not refused, so it is not offered. The first: ${first.id}: ${first.got}`,
    }
  return { tier, reason: `All ${probes} probes are refused. ${tier.protects} ${tier.limits} (${tier.python})` }
}

/** Why no model-written code can run on this machine, and what to do about it; null when it can. */
export function missingSandbox({ tiers, chosen }: SandboxReport): string | null {
  if (chosen !== null) return null
  const reasons = tiers.map(({ title, reason }) => `${title}: ${reason}`).join(' ')
  return `Its tasks run model-written code, and this machine has no sandbox for that. ${reasons}`
}
