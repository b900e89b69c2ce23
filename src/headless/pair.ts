import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { parseReply } from '../contract/client-by-id.ts'
import type { PairingCode } from '../contract/sessions/sessions.schemas.ts'
import { commandLine, quoted } from '../lib/command-line.ts'
import { messageOf } from '../lib/message-of.ts'
import { findRunningService, isOurService } from '../service/lifecycle/running-service.ts'
import { defaultDataDir } from './config.ts'
import { complain, print } from './print.ts'

type Pairing = z.infer<typeof PairingCode>

/** Prints a new pairing code of the running service. */
export async function pair(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { 'data-dir': { type: 'string' } } })
  const pairing = await newPairing(values['data-dir'] ?? defaultDataDir())
  if (typeof pairing === 'string') {
    complain(pairing)
    return 1
  }
  print(`Open ${pairing.address} and enter ${pairing.code} (until ${pairing.expires_at}).`)
  return 0
}

/** A new pairing code of the service that runs on a data folder, or why there is none. */
export async function newPairing(dataDir: string): Promise<Pairing | string> {
  const running = findRunningService(dataDir)
  if (!running) return `No service is running on ${dataDir}. Start it with "${commandLine('serve')}", or name its folder with --data-dir.`
  try {
    if (!(await isOurService(running)))
      return `What answers at ${running.base_url} is not the Assay of ${dataDir}, so nothing was sent to it. Stop that program, then start Assay again.`
    const reply = await fetch(`${running.base_url}/v1/sessions/pairing-codes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.session_token}` },
    })
    return parseReply('createPairingCode', { status: reply.status, text: await reply.text() })
  } catch (error) {
    return `The service at ${running.base_url} did not answer: ${messageOf(error)}`
  }
}

/** The command that prints another code of a service. Its folder is named unless every terminal finds it. */
export function pairCommand(dataDir: string): string {
  const path = resolve(dataDir)
  const isUsual = path === resolve(defaultDataDir({ ...process.env, ASSAY_DATA_DIR: '' }))
  return commandLine('pair', isUsual ? '' : `--data-dir ${quoted(path, process.platform)}`)
}

/** The address that signs a browser in. The code follows the `#`, which browsers send nowhere. */
export function signInAddress({ address, code }: Pick<Pairing, 'address' | 'code'>): string {
  return `${address.replace(/\/$/, '')}/#pair=${code}`
}
