import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { _electron, type ElectronApplication, expect, type Page, test } from '@playwright/test'
import { decideShell } from '../../src/headless/decide-shell.ts'
import { patience } from '../support/machine-speed.ts'
import { shellFacts } from '../../src/headless/shell-facts.ts'
import type { AssayBridge } from '../../src/preload/bridge.ts'
import type {} from '../../src/renderer/app/desktop-bridge.d.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const decision = decideShell(shellFacts())

test.skip(decision.shell === 'headless', `The desktop app cannot run here: ${decision.reason}.`)

let dir: string
let electron: ElectronApplication
let page: Page

test.beforeAll(async () => {
  if (decision.shell === 'headless') return
  dir = await mkdtemp(join(tmpdir(), 'assay-desktop-'))
  electron = await _electron.launch({
    executablePath: decision.program,
    args: [root, '--data-dir', join(dir, 'data'), '--port', '0'],
    // On Linux the profile lies below this folder.
    env: { ...process.env, XDG_CONFIG_HOME: dir },
  })
  page = await electron.firstWindow()
})

test.afterAll(async () => {
  if (decision.shell === 'headless') return
  await electron.close()
  await rm(dir, { recursive: true })
})

test('the window shows the signed-in UI of the local service and nothing else', async () => {
  await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\//)
  await expect(page.getByRole('navigation').first()).toBeVisible()
  expect(await page.evaluate(() => document.cookie)).toBe('')
})

test('the page has no Node and exactly the bridge', async () => {
  expect(await page.evaluate(() => ['require', 'process', 'Buffer', 'module'].filter(name => name in globalThis))).toEqual([])
  const bridge: readonly (keyof AssayBridge)[] = [
    'platform',
    'saveFile',
    'printPdf',
    'openSaved',
    'pathOf',
    'findInPage',
    'stopFinding',
    'onOpen',
    'onCommand',
  ]
  expect(await page.evaluate(() => Object.keys(window.assay ?? {}))).toEqual(bridge)
})

test('every process of a page runs in the sandbox', async () => {
  // Electron states it on macOS and Windows alone.
  test.skip(process.platform === 'linux', 'Electron does not state it on Linux; the next test reads it from the kernel.')
  const sandboxed = await electron.evaluate(({ app }) =>
    app.getAppMetrics().flatMap(metric => (metric.type === 'Tab' ? [metric.sandboxed] : [])),
  )
  expect(sandboxed.length).toBeGreaterThan(0)
  expect(new Set(sandboxed)).toEqual(new Set([true]))
})

test('every process of a page runs without new privileges and under a filter of system calls (Linux)', async () => {
  test.skip(process.platform !== 'linux', 'The kernel states it on Linux.')
  const pids = await electron.evaluate(({ app }) => app.getAppMetrics().flatMap(metric => (metric.type === 'Tab' ? [metric.pid] : [])))
  expect(pids.length).toBeGreaterThan(0)
  for (const pid of pids) expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^NoNewPrivs:\s+1$[\s\S]*^Seccomp:\s+2$/m)
})

test('the service runs in a process of its own, and comes back after a crash', async () => {
  const pid = await electron.evaluate(({ app }) => app.getAppMetrics().find(metric => metric.name === 'Assay service')?.pid)
  expect(pid).toBeGreaterThan(0)
  await electron.evaluate(({ dialog }) => {
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false })
  })
  process.kill(Number(pid), 'SIGKILL')
  await expect(page.getByText('Reconnecting…')).toBeVisible()
  await expect(page.getByText('Reconnecting…')).toBeHidden({ timeout: 30_000 * patience() })
})

test('permissions are denied', async () => {
  expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied')
  expect(await page.evaluate(() => navigator.permissions.query({ name: 'geolocation' }).then(status => status.state))).toBe('denied')
  expect(
    await page.evaluate(() =>
      navigator.mediaDevices.getUserMedia({ audio: true }).then(
        () => 'granted',
        (error: Error) => error.name,
      ),
    ),
  ).toBe('NotAllowedError')
})

test('no second window opens and no other site is reached', async () => {
  const before = page.url()
  expect(await page.evaluate(() => window.open('about:blank'))).toBeNull()
  await page.evaluate(() => {
    const link = document.createElement('a')
    link.href = 'data:text/html,elsewhere'
    document.body.append(link)
    link.click()
    link.remove()
  })
  expect(page.url()).toBe(before)
  expect(electron.windows()).toHaveLength(1)
})

test('a report becomes a PDF in the file that the user chooses', async () => {
  const file = join(dir, 'report.pdf')
  await electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath })
  }, file)
  const outcome = await page.evaluate(() => window.assay?.printPdf('<h1>Report</h1>', 'report.pdf'))
  expect(outcome).toEqual({ outcome: 'saved', name: 'report.pdf' })
  expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-')
})
