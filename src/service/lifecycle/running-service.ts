import { randomBytes, timingSafeEqual } from 'node:crypto'
import { parseReply } from '../../contract/client-by-id.ts'
import { hashToken, identityProof } from '../auth/index.ts'
import { processStart, processStartTime } from './process-start.ts'
import { readServiceFile, type ServiceFile } from './service-file.ts'

/** A process that began so long after the file was written has only got the number of the one that wrote it. */
const slack = 5_000

/**
 * The service that works on a data folder, by its discovery file. Null where there is none, and where the file is stale: its process
 * ended without taking it away.
 */
export function findRunningService(dataDir: string): ServiceFile | null {
  const file = readServiceFile(dataDir)
  if (!file || !isAlive(file.pid)) return null
  const start = processStart(file.pid)
  if (file.process_start !== null && start !== null) return file.process_start === start ? file : null
  // The file of an earlier version: the times agree as long as the clock was not stepped.
  const began = processStartTime(file.pid)
  return began === null || began <= Date.parse(file.started_at) + slack ? file : null
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is one, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Whether what answers at the address is the service that gave out the token, which is not sent: another program may have taken the
 * port. @throws TypeError when nothing answers
 */
export async function isOurService({ base_url, session_token }: Pick<ServiceFile, 'base_url' | 'session_token'>): Promise<boolean> {
  const nonce = randomBytes(24).toString('base64url')
  const reply = await fetch(`${base_url}/v1/identity?nonce=${nonce}`, { redirect: 'error', signal: AbortSignal.timeout(5_000) })
  const expected = identityProof(hashToken(session_token), new URL(base_url).host, nonce)
  const proof = readProof({ status: reply.status, text: await reply.text() })
  return proof !== null && timingSafeEqual(Buffer.from(proof, 'hex'), Buffer.from(expected, 'hex'))
}

/** Null where the answer is not one that a service of ours gives. */
function readProof(reply: { readonly status: number; readonly text: string }): string | null {
  try {
    return parseReply('proveIdentity', reply).proof
  } catch {
    return null
  }
}
