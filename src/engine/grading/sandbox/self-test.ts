import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, type Reply } from './converse.ts'
import { SandboxLostError } from './sandbox-process.ts'
import { javascriptProbes } from './javascript-probes.ts'
import { type Probe, pythonProbes } from './probes.ts'
import type { Language, Tier } from './tier.ts'

/** How a tier did: every probe that got somewhere, with what it got. None means that the tier may be offered. */
export interface SelfTest {
  readonly probes: number
  readonly failures: readonly { readonly id: string; readonly got: string }[]
}

/** Milliseconds for a probe that is to be killed; another may take `probeLimitMs`, and on a busy machine once more the longer one. */
const killAfter = 100
const probeLimitMs = 10_000
const longProbeLimitMs = 30_000
const secret = 'assay-probe-secret'

/** Bait on this machine: a folder with secrets, one that nothing may be written to, and an address that must be unreachable. */
interface Bait {
  readonly folder: string
  readonly port: number
  /** What has been touched since the last call. */
  touched(): string | null
  close(): Promise<void>
}

/** Names the very probes that a language's tiers are tried with. */
export function probesDigest(language: Language): string {
  return createHash('sha256')
    .update(JSON.stringify(probesOf(language)))
    .digest('hex')
}

/** Runs the probes in a tier. One process serves probes until one of them breaks it. */
export async function selfTest(tier: Tier, chosen: readonly Probe[] = probesOf(tier.language)): Promise<SelfTest> {
  const bait = await layBait()
  const failures: { id: string; got: string }[] = []
  const next = chosen[Symbol.iterator]()
  try {
    await Promise.all([work(), work(), work()])
  } finally {
    await bait.close()
  }
  return { probes: chosen.length, failures }

  async function work(): Promise<void> {
    let candidate = tier.start('candidate')
    let probe = nextProbe()
    let limit = probeLimitMs
    let lost = 0
    while (probe) {
      try {
        const loaded = await command(candidate, { op: 'load', source: sourceOf(probe, bait, tier.language) }, limit)
        const isLoaded = loaded.kind === 'value'
        // A probe that was never tried has proved nothing.
        const reply = isLoaded
          ? await command(candidate, { op: 'call', target: 'probe' }, probe.expect === 'killed' ? killAfter : limit)
          : loaded
        const isLate = reply.kind === 'timeout' && (!isLoaded || probe.expect !== 'killed') && limit === probeLimitMs
        const got = (isLoaded ? gotten(probe, reply) : `it could not be loaded: ${shown(loaded)}`) ?? bait.touched()
        if (got !== null && !isLate) failures.push({ id: probe.id, got })
        if (candidate.isOver()) {
          await candidate.close()
          candidate = tier.start('candidate')
        }
        limit = isLate ? longProbeLimitMs : probeLimitMs
        if (!isLate) probe = nextProbe()
      } catch (error) {
        if (!(error instanceof SandboxLostError)) throw error
        if (lost++ > 0) {
          failures.push({ id: probe?.id ?? '', got: `The sandbox does not start: ${error.message}` })
          break
        }
        await candidate.close()
        tier.renew()
        candidate = tier.start('candidate')
      }
    }
    await candidate.close()
  }

  function nextProbe(): Probe | null {
    const step = next.next()
    return step.done ? null : step.value
  }
}

function probesOf(language: Language): readonly Probe[] {
  return language === 'python' ? pythonProbes : javascriptProbes
}

function sourceOf({ code }: Probe, { folder, port }: Bait, language: Language): string {
  const filled = code
    .replaceAll('SECRETS', join(folder, 'secrets').replaceAll('\\', '/'))
    .replaceAll('HOSTPID', String(process.pid))
    .replaceAll('HOSTNAME', hostname())
    .replaceAll(/\bHOST\b/g, join(folder, 'host').replaceAll('\\', '/'))
    .replaceAll('PORT', String(port))
  return language === 'python' ? `def probe():\n  ${filled}\n` : `function probe() {\n  ${filled}\n}\n`
}

/** What a probe got that it should not have; null when it got nothing. */
function gotten({ expect, value }: Probe, reply: Reply): string | null {
  if (reply.kind === 'value' && JSON.stringify(reply.value).includes(secret)) return 'it read a secret'
  if (value !== undefined && (reply.kind !== 'value' || JSON.stringify(reply.value) !== JSON.stringify(value)))
    return `it came to ${shown(reply)}`
  switch (expect) {
    case 'raises':
      return reply.kind === 'value' ? `it returned ${shown(reply.value)}` : reply.kind === 'timeout' ? 'it neither failed nor ended' : null
    case 'empty':
      return reply.kind === 'value' && JSON.stringify(reply.value) !== '{"t":"list","v":[]}' ? `it returned ${shown(reply.value)}` : null
    case 'killed':
      return reply.kind === 'value' ? `it returned ${shown(reply.value)}` : null
    case 'reported':
      return reply.kind === 'timeout' || (reply.kind === 'value' && reply.value !== null) ? 'its end was not noticed' : null
    case 'host':
      return null
  }
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 120)
}

async function layBait(): Promise<Bait> {
  const folder = mkdtempSync(join(tmpdir(), `assay-probe-${process.pid}-`))
  const secrets = join(folder, 'secrets')
  const host = join(folder, 'host')
  mkdirSync(secrets)
  mkdirSync(host)
  for (const name of ['id_rsa', 'api-token', 'db.sqlite']) writeFileSync(join(secrets, name), secret)
  let connections = 0
  const server = createServer(socket => {
    connections++
    socket.destroy()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    folder,
    port: typeof address === 'object' && address !== null ? address.port : 0,
    touched: () => {
      const written = readdirSync(host)
      if (written.length > 0) return `it wrote ${written.join(', ')} outside`
      return connections > 0 ? 'it reached a port of this machine' : null
    },
    close: async () => {
      await new Promise(resolve => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
