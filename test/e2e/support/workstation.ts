import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, test as base, type Page, request } from '@playwright/test'
import { PairingCode } from '../../../src/contract/sessions/sessions.schemas.ts'
import type { HostReply, HostRequest, Started } from './workstation-host.ts'

const root = new URL('../../../', import.meta.url).pathname

/** The service on a data folder of its own that was empty before the file's first test. */
export interface Workstation {
  readonly baseUrl: string
  /** Headers of the owner, for what a test prepares without the UI. */
  readonly owner: Readonly<Record<string, string>>
  /** A new one-time code; the former one stops working. */
  pairingCode(): Promise<string>
}

/** One process that holds the service of the file that is being tested; starting a process for each file would take a second each. */
class Host {
  readonly #process: ChildProcess
  #file: string | null = null
  #open: Promise<Workstation & { readonly cookies: Cookies }> | null = null

  constructor() {
    if (!existsSync(join(root, 'out/renderer/index.html'))) throw new Error('The UI is not built: run "npm run build" first.')
    this.#process = fork(join(root, 'test/e2e/support/workstation-host.ts'), {
      execArgv: ['--import', new URL('../../support/cheap-threads.ts', import.meta.url).href],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
  }

  /** The workstation of a file, new when the file is. */
  forFile(file: string): Promise<Workstation & { readonly cookies: Cookies }> {
    if (this.#file !== file || !this.#open) {
      this.#file = file
      this.#open = this.#ask({ kind: 'start' }).then(open)
    }
    return this.#open
  }

  async stop(): Promise<void> {
    await this.#ask({ kind: 'stop' })
    const gone = new Promise(resolve => this.#process.once('exit', resolve))
    this.#process.disconnect()
    await gone
  }

  #ask(request: HostRequest): Promise<Started | null> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`The service's process ended with code ${code}.`))
      this.#process.once('exit', ended)
      this.#process.once('message', (reply: HostReply) => {
        this.#process.off('exit', ended)
        if (reply.ok) resolve(reply.started)
        else reject(new Error(reply.error))
      })
      this.#process.send(request)
    })
  }
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

async function open(started: Started | null): Promise<Workstation & { readonly cookies: Cookies }> {
  if (!started) throw new Error('The process started no service.')
  const { baseUrl, workspaceId, sessionToken } = started
  const owner = { authorization: `Bearer ${sessionToken}`, 'x-workspace-id': workspaceId }
  const pairingCode = async () => {
    const reply = await fetch(`${baseUrl}/v1/sessions/pairing-codes`, { method: 'POST', headers: owner })
    return PairingCode.parse(await reply.json()).code
  }
  const client = await request.newContext({ baseURL: baseUrl })
  const reply = await client.post('/v1/sessions/pair', { data: { code: await pairingCode() } })
  if (!reply.ok()) throw new Error(`The pairing code was refused: ${await reply.text()}`)
  const { cookies } = await client.storageState()
  await client.dispose()
  return { baseUrl, owner, pairingCode, cookies }
}

export async function openHome(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
}

/** Signs in as a person does. */
export async function signIn(page: Page, workstation: Workstation): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Pairing code').fill(await workstation.pairingCode())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
}

/** What the tests of a file share and do not change: made once for each workstation, when it is first needed. */
export function prepare<T>(make: (workstation: Workstation) => Promise<T>): (workstation: Workstation) => Promise<T> {
  const made = new WeakMap<Workstation, Promise<T>>()
  return workstation => {
    const known = made.get(workstation) ?? make(workstation)
    made.set(workstation, known)
    return known
  }
}

interface Fixtures {
  /** A page of a browser that has signed in; it has opened nothing yet. */
  readonly app: Page
  /** Whatever the page's console complained about, apart from refusals that the page itself answers. */
  readonly complaints: string[]
  readonly workstation: Workstation
  readonly session: Cookies
}

interface WorkerFixtures {
  readonly host: Host
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  host: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use) => {
      const host = new Host()
      await use(host)
      await host.stop()
    },
    { scope: 'worker' },
  ],
  workstation: async ({ host }, use, { file }) => use(await host.forFile(file)),
  baseURL: async ({ workstation }, use) => use(workstation.baseUrl),
  complaints: async ({ page }, use) => {
    const complaints: string[] = []
    page.on('pageerror', error => complaints.push(error.message))
    page.on('console', message => {
      // Chromium reports every refused request, and being asked to sign in is one.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text())
    })
    await use(complaints)
  },
  // One session that the tests of a file share; a test that signs out signs in by itself.
  session: async ({ host }, use, { file }) => use((await host.forFile(file)).cookies),
  app: async ({ page, context, session }, use) => {
    await context.addCookies(session)
    await use(page)
    // A request that a test answers may be under way as the test ends.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
})

export { expect } from '@playwright/test'
