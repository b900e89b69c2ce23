import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isTerminal } from '../../../../src/contract/machine.ts'
import { runMachine } from '../../../../src/contract/runs/run.machine.ts'
import { readServiceFile } from '../../../../src/service/lifecycle/service-file.ts'
import { clientFor } from '../../../support/client.ts'
import { longestTurnCpuMs } from '../../../support/longest-turn.ts'
import { profileId, quote, submit } from '../../../support/runs.ts'
import { app, ipcMain, recorded, resetElectron, signals, windowLoaded } from '../fake-electron.ts'

const standIn = new URL('../strict-electron.ts', import.meta.url).href

/** Loaded before the built entry: `electron` is the stand-in, everything else is real. */
registerHooks({
  resolve: (specifier, context, next) => (specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context)),
})
resetElectron(join(process.env['ASSAY_TEST_PROFILE'] ?? tmpdir(), 'profile'))

interface Cookie {
  readonly url: string
  readonly name: string
  readonly value: string
}

/** Asks the service what the window would ask, signed in by the cookie that the shell set. */
async function look(cookie: Cookie) {
  const page = await fetch(cookie.url)
  const signedIn = await fetch(new URL('/v1/me', cookie.url), { headers: { cookie: `${cookie.name}=${cookie.value}` } })
  const stranger = await fetch(new URL('/v1/me', cookie.url))
  return { page: [page.status, page.headers.get('content-type')], signedIn: signedIn.status, stranger: stranger.status }
}

/** Runs 10,260 samples, as a page would, and looks how long the shell's own loop was ever busy meanwhile. */
async function runBeside(dataDir: string) {
  const file = readServiceFile(dataDir)
  if (!file) throw new Error('The service wrote no service.json.')
  const client = clientFor(file.base_url, file.session_token, file.workspace_id)
  const model = { kind: 'managed', route_id: 'assay/oracle-50' } as const
  const profiles = [await profileId(client, 'arithmetic-word-problems', 'zero-shot')]
  const { id: quoteId } = await quote(client, { model, profiles, execution: { epochs: 38 } })
  let run = await submit(client, quoteId)
  const longestTurnMs = await longestTurnCpuMs(async () => {
    while (!isTerminal(runMachine, run.status)) {
      await setTimeout(250)
      run = await client.call('getRun', { params: { run_id: run.id } })
    }
  })
  return { status: run.status, samples: run.progress.scored, longestTurnMs }
}

/** Looks around once the window is loaded, reports, and closes it as a user would. */
async function visit(): Promise<void> {
  const window = await windowLoaded()
  // The stand-in takes any object for a cookie; the shell's own test pins its fields.
  const cookie = recorded.cookies[0] as Cookie
  const seen = await look(cookie)
  const dataDir = process.argv[process.argv.indexOf('--data-dir') + 1] ?? ''
  const run = await runBeside(dataDir)
  app.once('quit', () => {
    console.log(
      JSON.stringify({
        ...seen,
        run,
        calls: recorded.calls,
        origin: cookie.url,
        visited: window.webContents.visited,
        options: window.options,
        channels: [...ipcMain.handlers.keys()],
      }),
    )
  })
  window.close()
}

void visit()
signals.once('dialog', ({ options }) => {
  console.log(JSON.stringify({ failed: options }))
})
