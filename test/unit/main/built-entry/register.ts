import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** Looks around once the window is loaded, reports, and closes it as a user would. */
async function visit(): Promise<void> {
  const window = await windowLoaded()
  // The stand-in takes any object for a cookie; the shell's own test pins its fields.
  const cookie = recorded.cookies[0] as Cookie
  const seen = await look(cookie)
  app.once('quit', () => {
    console.log(
      JSON.stringify({
        ...seen,
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
