import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, type BrowserContext, type Page } from '@playwright/test'
import { z } from 'zod'
import { PairingCode } from '../../../src/contract/index.ts'

const root = new URL('../../../', import.meta.url).pathname

/** What `serve` writes for those who may use it. */
const ServiceFile = z.object({ base_url: z.string(), workspace_id: z.string(), session_token: z.string() })

/** The service on an empty data folder of its own, as a user starts it. */
export interface Workstation {
  readonly baseUrl: string
  /** Headers of the owner, for what a test prepares without the UI. */
  readonly owner: Readonly<Record<string, string>>
  /** A new one-time code; the former one stops working. */
  pairingCode(): Promise<string>
}

interface Running extends Workstation {
  stop(): Promise<void>
}

async function start(): Promise<Running> {
  if (!existsSync(join(root, 'out/renderer/index.html'))) throw new Error('The UI is not built: run "npm run build" first.')
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-e2e-'))
  const service = spawn(process.execPath, [
    join(root, 'src/headless/cli.ts'),
    'serve',
    '--data-dir',
    dataDir,
    '--port',
    '0',
    '--log-level',
    'error',
  ])
  try {
    await ready(service)
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true })
    throw error
  }
  const { base_url, workspace_id, session_token } = ServiceFile.parse(JSON.parse(readFileSync(join(dataDir, 'service.json'), 'utf8')))
  const owner = { authorization: `Bearer ${session_token}`, 'x-workspace-id': workspace_id }
  return {
    baseUrl: base_url,
    owner,
    pairingCode: async () => {
      const reply = await fetch(`${base_url}/v1/sessions/pairing-codes`, { method: 'POST', headers: owner })
      return PairingCode.parse(await reply.json()).code
    },
    stop: async () => {
      const gone = new Promise(resolve => service.once('exit', resolve))
      service.kill('SIGTERM')
      await gone
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Resolves when the service says that it is ready; rejects with what it said when it ends before. */
function ready(service: ChildProcess): Promise<void> {
  let said = ''
  return new Promise((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      said += chunk.toString()
      if (said.includes('Assay is ready')) resolve()
    }
    service.stdout?.on('data', listen)
    service.stderr?.on('data', listen)
    service.once('exit', code => reject(new Error(`The service ended with code ${code}:\n${said}`)))
  })
}

/** Signs in as a person does. */
export async function signIn(page: Page, workstation: Workstation): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Pairing code').fill(await workstation.pairingCode())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
}

interface Fixtures {
  /** A page of a browser that has signed in, at Home. */
  readonly app: Page
  /** Whatever the page's console complained about, apart from refusals that the page itself answers. */
  readonly complaints: string[]
}

interface WorkerFixtures {
  readonly workstation: Workstation
  /** Cookies of one session that the tests of a worker share; a test that signs out signs in by itself. */
  readonly session: Awaited<ReturnType<BrowserContext['cookies']>>
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  workstation: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use) => {
      const workstation = await start()
      await use(workstation)
      await workstation.stop()
    },
    { scope: 'worker' },
  ],
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
  session: [
    async ({ workstation, playwright }, use) => {
      const client = await playwright.request.newContext({ baseURL: workstation.baseUrl })
      const reply = await client.post('/v1/sessions/pair', { data: { code: await workstation.pairingCode() } })
      if (!reply.ok()) throw new Error(`The pairing code was refused: ${await reply.text()}`)
      const { cookies } = await client.storageState()
      await client.dispose()
      await use(cookies)
    },
    { scope: 'worker' },
  ],
  app: async ({ page, context, session }, use) => {
    await context.addCookies(session)
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await use(page)
  },
})

export { expect } from '@playwright/test'
