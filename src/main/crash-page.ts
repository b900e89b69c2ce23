import { app, type BrowserWindow, dialog } from 'electron'

/** What the page about a crash says. */
export interface Crash {
  /** What ended, as a heading. */
  readonly title: string
  /** Lines for a report of the problem. */
  readonly log: readonly string[]
  /** Where Reload leads. */
  readonly address: string
}

/** A page about a crash, as an address: it needs no service and no other file. Reload is a link, and the log can be marked and copied. */
export function crashAddress({ title, log, address }: Crash): string {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)} · Assay</title>
<style>
  :root { color-scheme: light dark; --ink: #1f2328; --page: #ffffff; --field: #f3f4f6; --line: #6b7280; --act: #1f5fa8; --on-act: #ffffff }
  @media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --page: #1a1b1e; --field: #25262b; --line: #868e96; --act: #8bb8ee; --on-act: #10161d } }
  body { margin: 0; display: grid; place-content: center; min-height: 100vh; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
  main { width: min(40rem, calc(100vw - 3rem)) }
  h1 { font-size: 20px; margin: 0 0 .5rem }
  pre { overflow: auto; max-height: 40vh; padding: .75rem; background: var(--field); border: 1px solid var(--line); border-radius: 4px; font: 13px/1.5 ui-monospace, monospace; user-select: all; white-space: pre-wrap }
  a { display: inline-block; min-height: 24px; padding: .5rem 1rem; border-radius: 4px; background: var(--act); color: var(--on-act); text-decoration: none }
  a:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px }
</style>
<main>
  <h1>${escaped(title)}</h1>
  <p>Runs continue in the background and no data is lost. To report the problem, copy this log: click it, then copy.</p>
  <pre tabindex="0">${escaped(log.join('\n'))}</pre>
  <p><a href="${escaped(address)}">Reload</a></p>
</main>
</html>`
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Crashes of the graphics process in a row, after which people are told; Chromium starts it again by itself. */
const toldAfter = 3
/** Milliseconds beyond which two crashes are not a series. */
const rowMs = 60_000

/** Says when the page, the graphics process or another child process crashed, and offers to wait for a page that does not respond. */
export function watchCrashes(window: BrowserWindow, origin: string): void {
  const { webContents } = window
  const show = (title: string, lines: readonly string[]): void => {
    if (window.isDestroyed()) return
    const last = webContents.getURL()
    const address = last.startsWith(`${origin}/`) ? last : `${origin}/`
    webContents
      .loadURL(crashAddress({ title, log: [...lines, ...versions()], address }))
      .catch((error: unknown) => console.error('The page about a crash could not be shown.', error))
  }
  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    // A page that left on purpose, as it does when the window closes, needs no word.
    if (reason !== 'clean-exit') show('The page stopped working', [`Page process: ${reason}, exit code ${exitCode}`])
  })

  let asking = false
  window.on('unresponsive', () => {
    if (asking) return
    asking = true
    askToWait(window)
      .catch((error: unknown) => console.error('Whether to wait for the page could not be asked.', error))
      .finally(() => {
        asking = false
      })
  })

  let crashes: number[] = []
  const onChildGone = (_event: unknown, { type, reason, exitCode, name }: Electron.Details): void => {
    if (reason === 'clean-exit' || reason === 'killed') return
    const line = `${name ?? type}: ${reason}, exit code ${exitCode}`
    console.error(`A child process ended. ${line}`)
    // The service's own says so itself.
    if (type !== 'GPU') return
    const now = Date.now()
    crashes = [...crashes.filter(at => now - at < rowMs), now]
    if (crashes.length >= toldAfter) {
      crashes = []
      show('Graphics stopped working', [line])
    }
  }
  app.on('child-process-gone', onChildGone)
  window.on('closed', () => app.off('child-process-gone', onChildGone))
}

async function askToWait(window: BrowserWindow): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: 'The page is not responding',
    detail: 'It may be busy. Runs continue in the background.',
    buttons: ['Wait', 'Reload'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  if (response !== 1 || window.isDestroyed()) return
  // A page that hangs hears no request to reload: its process is ended, and the page about a crash has the link.
  window.webContents.forcefullyCrashRenderer()
}

function versions(): string[] {
  const { electron, chrome, node } = process.versions
  return [`Assay ${app.getVersion()}`, `Electron ${electron}, Chromium ${chrome}, Node ${node}`, `${process.platform} ${process.arch}`]
}
