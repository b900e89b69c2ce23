import { z } from 'zod'
import { npmRegistry } from '../engine/clients/http/npm-registry.ts'
import { appVersion } from '../service/version.ts'
import { messageOf } from '../lib/message-of.ts'

/** What a registry says of the newest package of a name; `productName` tells ours from another project's of the same name. */
const Manifest = z.object({ version: z.string(), productName: z.string().optional() })

/**
 * One sentence: whether a newer version is published. Asks the registry that npm is set to, and no other.
 * @param registry its address; null for npm's own setting
 * @throws Error naming the registry that could not be asked
 */
export async function latestVersion(registry: string | null): Promise<string> {
  const address = registry ?? (await npmRegistry())
  if (address === null) throw new Error('npm does not say which registry it uses. Name one with --registry <url>.')
  const reply = await fetch(new URL('assay/latest', address.endsWith('/') ? address : `${address}/`), {
    signal: AbortSignal.timeout(20_000),
  }).catch((error: unknown) => {
    throw new Error(`${address} could not be asked: ${messageOf(error)}`)
  })
  if (reply.status === 404) return `Assay ${appVersion}. ${address} has no package of Assay.`
  const manifest = reply.ok ? Manifest.safeParse(await reply.json().catch(() => null)) : null
  if (!manifest?.success) throw new Error(`${address} answered ${reply.status} and no package.`)
  const { version, productName } = manifest.data
  if (productName !== 'Assay') return `Assay ${appVersion}. ${address} has another project’s package of that name.`
  if (!isNewer(version, appVersion)) return `Assay ${appVersion} is the newest version that ${address} has.`
  return `Assay ${version} is out; this is ${appVersion}. Install it with "npm install --global assay@${version}": your data is backed up before it is migrated.`
}

/** By semantic versioning's first three numbers; what is not published as a release is not offered. */
function isNewer(version: string, than: string): boolean {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return false
  const [a, b] = [version, than].map(text => text.split('.').map(Number))
  const index = [0, 1, 2].find(place => a?.[place] !== b?.[place])
  return index !== undefined && (a?.[index] ?? 0) > (b?.[index] ?? 0)
}
