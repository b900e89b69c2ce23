import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { commandChannel, invokeChannels, openChannel } from '../../../src/main/channels.ts'
import { readSource, type Source, sourcesIn } from './syntax.ts'

const sources = sourcesIn('src')
const shell = sources.filter(source => /^src\/(main|preload)\//.test(source.path))

/** Reads a line of code as if it stood in a file of the project. */
const planted = (text: string, path = 'src/engine/planted.ts') => readSource(path, text)

interface Rule {
  readonly name: string
  /** What breaks the rule in a file; empty where nothing does. */
  readonly broken: (source: Source) => readonly string[]
  /** Lines that must be caught, or the rule checks nothing. */
  readonly caught: readonly Source[]
}

const isElectron = (module: string) => module === 'electron' || module === 'electron-store' || module.startsWith('electron/')

const rules: Rule[] = [
  {
    name: 'Electron is imported only in src/main and src/preload',
    broken: source => (/^src\/(main|preload)\//.test(source.path) ? [] : source.modules.filter(isElectron)),
    caught: [
      planted("import { app } from 'electron'"),
      planted("import type { App } from 'electron'"),
      planted("export * from 'electron/main'"),
      planted("const app = await import('electron')"),
      planted("const app = require('electron')"),
      planted("type App = import('electron').App"),
      planted("import Store from 'electron-store'"),
    ],
  },
  {
    name: 'electron-store is used only for the settings of the shell',
    broken: source => (source.path === 'src/main/settings.ts' ? [] : source.modules.filter(module => module === 'electron-store')),
    caught: [planted("import Store from 'electron-store'", 'src/main/other.ts')],
  },
  {
    name: 'pages are listened to only through handle()',
    broken: source => source.members.filter(member => member.startsWith('ipcMain.') && !isAllowedListening(source.path, member)),
    caught: ['handle', 'handleOnce', 'on', 'once', 'addListener'].map(method => planted(`ipcMain.${method}('x', f)`, 'src/main/other.ts')),
  },
  {
    name: 'no page is opened from a file',
    broken: source => [
      ...source.members.filter(member => member.endsWith('.loadFile')),
      // Importers know the word from the files of other tools, and refuse it.
      ...(/^src\/engine\/importing\/(?:files|worlds)\//.test(source.path) ? [] : source.texts.filter(text => text.includes('file://'))),
    ],
    caught: [
      planted("window.loadFile('index.html')"),
      planted("window.loadURL('file:///index.html')"),
      planted('window.loadURL(`file://${path}`)'),
    ],
  },
  {
    name: 'no page holds a webview',
    broken: source => [...source.elements, ...source.texts].filter(text => /^webview$|<webview/.test(text)),
    caught: [planted('const page = <webview src="x" />', 'src/renderer/planted.tsx'), planted("element.innerHTML = '<webview>'")],
  },
  {
    name: 'no text becomes markup or script',
    broken: source => [
      ...source.members.filter(member =>
        /\.(?:innerHTML|outerHTML|srcdoc|insertAdjacentHTML|createContextualFragment)$|^document\.write/.test(member),
      ),
      ...source.attributes.filter(attribute => /^(?:dangerouslySetInnerHTML|srcDoc)$/.test(attribute)),
      ...source.calls.filter(call => /^(?:eval|Function)\(/.test(call)),
      ...source.created.filter(name => name === 'Function'),
    ],
    caught: [
      planted('const page = <div dangerouslySetInnerHTML={{ __html: text }} />', 'src/renderer/planted.tsx'),
      planted('const page = <iframe srcDoc={text} />', 'src/renderer/planted.tsx'),
      ...[
        'element.innerHTML = text',
        'element.insertAdjacentHTML(where, text)',
        'document.write(text)',
        'eval(text)',
        'new Function(text)',
      ].map(line => planted(line)),
    ],
  },
  {
    name: 'no code of others runs in this process: node:vm is no sandbox',
    broken: source =>
      // One script of ours, for the time limit that a search with a pattern gets only there.
      source.path === 'src/engine/grading/scorers/patterns/timed-pattern.ts'
        ? source.modules.filter(module => /^(?:vm2|isolated-vm)$/.test(module))
        : source.modules.filter(module => /^(?:node:)?vm$|^(?:vm2|isolated-vm)$/.test(module)),
    caught: [
      planted("import { runInNewContext } from 'node:vm'"),
      planted("import vm from 'isolated-vm'", 'src/engine/grading/scorers/patterns/timed-pattern.ts'),
    ],
  },
  {
    name: 'no safe preference is turned off',
    broken: source =>
      source.flags.filter(flag =>
        /^(contextIsolation|sandbox|webSecurity): false$|^(nodeIntegration\w*|webviewTag|allowRunningInsecureContent|experimentalFeatures|enableBlinkFeatures|allowpopups): true$/.test(
          flag,
        ),
      ),
    caught: [
      'contextIsolation: false',
      'sandbox: false',
      'webSecurity: false',
      'nodeIntegration: true',
      'nodeIntegrationInWorker: true',
      'webviewTag: true',
    ].map(flag => planted(`f({ ${flag} })`, 'src/main/other.ts')),
  },
  {
    name: "Chromium's sandbox is never switched off",
    broken: source => [
      // Where it is only read, and people are told.
      ...(source.path === 'src/main/sandbox-warning.ts' ? source.calls.filter(call => call.includes('appendSwitch')) : []),
      ...(source.path === 'src/main/sandbox-warning.ts'
        ? []
        : source.texts.filter(text => /no-sandbox|disable-web-security|ignore-certificate-errors/.test(text))),
    ],
    caught: [
      planted("app.commandLine.appendSwitch('no-sandbox')", 'src/main/other.ts'),
      planted("app.commandLine.appendSwitch('no-sandbox')", 'src/main/sandbox-warning.ts'),
    ],
  },
]

function isAllowedListening(path: string, member: string): boolean {
  return (
    (path === 'src/main/ipc.ts' && member === 'ipcMain.handle') ||
    (path === 'src/main/settings.ts' && member === 'ipcMain.removeAllListeners')
  )
}

describe('the sources', () => {
  test('are read', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(shell.flatMap(source => source.modules).filter(isElectron).length).toBeGreaterThan(5)
  })

  test.each(rules)('$name', ({ broken, caught }) => {
    expect(caught.filter(source => broken(source).length === 0)).toEqual([])
    expect(sources.flatMap(source => broken(source).map(what => `${source.path}: ${what}`))).toEqual([])
  })

  test('register a channel in one place', () => {
    const registrations = shell.flatMap(source =>
      source.calls.filter(call => call.startsWith('ipcMain.')).map(call => `${source.path}: ${call}`),
    )
    expect(registrations.toSorted()).toEqual(['src/main/ipc.ts: ipcMain.handle(?)', 'src/main/settings.ts: ipcMain.removeAllListeners(?)'])
  })
})

describe('the preload script', () => {
  const calls = sourcesIn('src/preload').flatMap(source => source.calls)

  test('writes its channels out and exposes one thing', () => {
    expect(calls.filter(call => call.startsWith('ipcRenderer.')).toSorted()).toEqual(
      [
        ...invokeChannels.map(channel => `ipcRenderer.invoke("${channel}")`),
        ...[commandChannel, openChannel].flatMap(channel => [`ipcRenderer.off("${channel}")`, `ipcRenderer.on("${channel}")`]),
      ].toSorted(),
    )
    expect(calls.filter(call => call.startsWith('contextBridge.'))).toEqual(['contextBridge.exposeInMainWorld("assay")'])
  })
})

describe('worker entries', () => {
  // Started without piscina: interpreters in WebAssembly, what hands messages on to them, the process of a model, and the thread that stores runs.
  const own = /(?:-wasm|sandbox-relay|run-writer|llama)\.worker\.ts$/
  const workers = sourcesIn('src/workers').filter(({ path }) => path.endsWith('.worker.ts') && !own.test(path))

  test('have a default export and no await at the top, which piscina needs to load them from an archive', () => {
    expect(workers.length).toBeGreaterThan(0)
    expect(workers.filter(worker => !worker.hasDefaultExport || worker.awaitsAtTop).map(worker => worker.path)).toEqual([])
  })

  test('would be caught without them', () => {
    expect(planted('const x = await f(); export default x').awaitsAtTop).toBe(true)
    expect(planted('for await (const x of y) f(x); export {}').awaitsAtTop).toBe(true)
    expect(planted('export default async () => { await f() }').awaitsAtTop).toBe(false)
    expect(planted('export const x = 1').hasDefaultExport).toBe(false)
  })
})

test('no npm script switches the sandbox off', () => {
  expect(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).not.toContain('no-sandbox')
})
