import { parseArgs } from 'node:util'
import { parseReply } from '../contract/index.ts'
import { findRunningService, isOurService } from '../service/lifecycle/running-service.ts'
import { defaultDataDir } from './config.ts'
import { complain, print } from './print.ts'

/** Asks the running service for a new pairing code. */
export async function pair(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { 'data-dir': { type: 'string' } } })
  const dataDir = values['data-dir'] ?? defaultDataDir()
  const running = findRunningService(dataDir)
  if (!running) {
    complain(`No service is running on ${dataDir}. Start it with "npm start", or name its folder with --data-dir.`)
    return 1
  }
  try {
    if (!(await isOurService(running))) {
      complain(
        `What answers at ${running.base_url} is not the Assay of ${dataDir}, so nothing was sent to it. Stop that program, then start Assay again.`,
      )
      return 1
    }
    const reply = await fetch(`${running.base_url}/v1/sessions/pairing-codes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.session_token}` },
    })
    const { code, expires_at, address } = parseReply('createPairingCode', { status: reply.status, text: await reply.text() })
    print(`Open ${address} and enter ${code} (until ${expires_at}).`)
    return 0
  } catch (error) {
    complain(`The service at ${running.base_url} did not answer: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  }
}
