import type { ExecutionOptions } from '../../../contract/catalog/models.schemas.ts'
import { availableParallelism } from 'node:os'
import type { SandboxRecord } from '../../../contract/runs/results.schemas.ts'
import { codeLanguageNames } from '../../../lib/format/sandbox-text.ts'
import { javascriptTier } from './javascript-tier.ts'
import { linuxTier } from './linux-tier.ts'
import { startInNode, type StartLocked } from './locked-program.ts'
import { portableTier } from './portable-tier.ts'
import { createSandbox, type Sandbox, type Sandboxes, type SandboxSettings } from './sandbox.ts'
import { probesDigest, selfTest } from './self-test.ts'
import type { ByLanguage, Language, SandboxFiles, Tier, TierId } from './tier.ts'
import { commandLine } from '../../../lib/command-line.ts'

/** A sandbox tier as shown to users. */
export type TierReport = ExecutionOptions['sandboxes'][number] & { readonly id: TierId }

export interface SandboxReport {
  /** Strongest first. */
  readonly tiers: readonly TierReport[]
  /** What code of each language runs in, as results record it. */
  readonly chosen: ByLanguage<SandboxRecord>
}

interface Candidate {
  readonly id: TierId
  readonly title: string
  readonly language: Language
  find(files: SandboxFiles, start: StartLocked): Promise<Tier | string>
}

const candidates: readonly Candidate[] = [
  { id: 'linux', title: 'Linux namespaces with the system’s Python', language: 'python', find: linuxTier },
  { id: 'portable', title: 'Python in WebAssembly', language: 'python', find: portableTier },
  { id: 'quickjs', title: 'QuickJS in WebAssembly', language: 'javascript', find: javascriptTier },
]

interface Opening extends SandboxSettings {
  /** Tries the tiers after the first that holds too, only to report on them. */
  readonly every?: boolean
  /** Starts the processes of interpreters in WebAssembly. */
  readonly start?: StartLocked
}

/** Tries the tiers of each language from the strongest on, each with every probe, and opens the first that lets none through. */
export async function openSandboxes(
  files: SandboxFiles,
  { every = false, start = startInNode, ...settings }: Opening = {},
): Promise<{ readonly report: SandboxReport; readonly sandboxes: Sandboxes }> {
  const [python, javascript] = await Promise.all([open('python'), open('javascript')])
  return {
    report: {
      tiers: [...python.tiers, ...javascript.tiers],
      chosen: { python: python.chosen?.record ?? null, javascript: javascript.chosen?.record ?? null },
    },
    sandboxes: { python: sandboxIn(python.chosen?.tier, settings), javascript: sandboxIn(javascript.chosen?.tier, settings) },
  }

  async function open(language: Language) {
    const tiers: TierReport[] = []
    let chosen: { readonly tier: Tier; readonly record: SandboxRecord } | null = null
    for (const candidate of candidates.filter(one => one.language === language)) {
      const { id, title } = candidate
      if (chosen && !every) {
        const reason = `Not tried: a stronger one is available. "${commandLine('doctor', '--sandbox')}" tries it.`
        tiers.push({ id, title, language, available: false, reason })
        continue
      }
      const { proven, reason } = await examine(candidate, files, start)
      tiers.push({ id, title, language, available: proven !== null, reason })
      chosen ??= proven
    }
    return { tiers, chosen }
  }
}

/** Opens tiers that `openSandboxes` has chosen since the service started, without trying them again. @throws Error when one is gone */
export async function reopenSandboxes(
  files: SandboxFiles,
  chosen: ByLanguage<TierId>,
  { start = startInNode, ...settings }: Omit<Opening, 'every'> = {},
): Promise<Sandboxes> {
  const reopen = async (wanted: TierId | null): Promise<Sandbox | null> => {
    if (wanted === null) return null
    const tier = await candidates.find(({ id }) => id === wanted)?.find(files, start)
    if (tier === undefined || typeof tier === 'string') throw new Error(`The sandbox "${wanted}" is gone. ${tier ?? ''}`)
    return sandboxIn(tier, settings)
  }
  const [python, javascript] = await Promise.all([reopen(chosen.python), reopen(chosen.javascript)])
  return { python, javascript }
}

function sandboxIn(tier: Tier | undefined, settings: SandboxSettings): Sandbox | null {
  return tier ? createSandbox(tier, places(), settings) : null
}

/** Checks at a time: each keeps a core busy. */
function places(): number {
  return Math.max(1, Math.min(4, availableParallelism()))
}

async function examine({ find }: Candidate, files: SandboxFiles, start: StartLocked) {
  const tier = await find(files, start)
  if (typeof tier === 'string') return { proven: null, reason: tier }
  const { probes, failures } = await selfTest(tier)
  await tier.close()
  const [first] = failures
  if (first)
    return {
      proven: null,
      reason: `${failures.length} of ${probes} probes were not refused, so it is not offered. The first: ${first.id}: ${first.got}`,
    }
  return {
    proven: { tier, record: recordOf(tier, probes) },
    reason: `All ${probes} probes are refused. ${tier.protects} ${tier.limits} (${tier.interpreter})`,
  }
}

function recordOf({ id, title, language, interpreter, bounds }: Tier, probes: number): SandboxRecord {
  return {
    id,
    title,
    language,
    interpreter,
    platform: `${process.platform} ${process.arch}`,
    probes_refused: probes,
    probes_digest: probesDigest(language),
    memory_bytes: bounds.memory,
    disk_bytes: bounds.disk,
  }
}

/** Why code of these languages cannot run on this machine, and what to do about it; null when it can. */
export function missingSandbox({ tiers, chosen }: SandboxReport, languages: readonly Language[]): string | null {
  const missing = languages.find(language => chosen[language] === null)
  if (missing === undefined) return null
  const reasons = tiers.filter(({ language }) => language === missing).map(({ title, reason }) => `${title}: ${reason}`)
  return `Its tasks run model-written ${codeLanguageNames[missing]}, and this machine has no sandbox for that. ${reasons.join(' ')}`
}
