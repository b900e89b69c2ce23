import { beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { commandChannel, type DesktopCommand, invokeChannels, openChannel } from '../../../src/main/channels.ts'
import type { SaveOutcome as MainSaveOutcome } from '../../../src/main/save-report.ts'
import type { AssayBridge, DesktopCommand as BridgeCommand, SaveOutcome } from '../../../src/preload/bridge.ts'
import { exposed, invoked, ipcRenderer } from './fake-electron.ts'

vi.mock('electron', () => import('./strict-electron.ts'))

await import('../../../src/preload/index.ts')
// What the script gave to the page; the first test looks at its shape.
const bridge = exposed.get('assay') as AssayBridge

beforeEach(() => {
  invoked.length = 0
})

describe('preload script', () => {
  test('gives the page one name, with functions and one word in it', () => {
    expect([...exposed.keys()]).toEqual(['assay'])
    expect(Object.entries(bridge).map(([name, value]) => [name, typeof value])).toEqual([
      ['platform', 'string'],
      ['saveFile', 'function'],
      ['printPdf', 'function'],
      ['openSaved', 'function'],
      ['pathOf', 'function'],
      ['findInPage', 'function'],
      ['stopFinding', 'function'],
      ['onOpen', 'function'],
      ['onCommand', 'function'],
    ])
  })

  test('asks only on the channels that the main process answers', async () => {
    expect(bridge.pathOf(new File([], 'model.gguf'))).toBe('/dropped/model.gguf')
    await bridge.saveFile('a.csv', 'x')
    await bridge.printPdf('<p>', 'a.pdf')
    await bridge.openSaved()
    await bridge.findInPage('x', true, false)
    await bridge.stopFinding()
    expect(invoked).toEqual([
      ['assay:save-file', 'a.csv', 'x'],
      ['assay:print-pdf', '<p>', 'a.pdf'],
      ['assay:open-saved'],
      ['assay:find', 'x', true, false],
      ['assay:stop-finding'],
    ])
    expect(invoked.map(([channel]) => channel)).toEqual([...invokeChannels])
  })

  test('passes on the command and no event, until told to stop', () => {
    const heard = vi.fn<(...args: unknown[]) => void>()
    const stop = bridge.onCommand(heard)
    expect(ipcRenderer.eventNames()).toEqual([commandChannel])
    ipcRenderer.emit(commandChannel, { sender: 'an Electron object' }, 'settings')
    expect(heard.mock.calls).toEqual([['settings']])
    expect(stop()).toBeUndefined()
    ipcRenderer.emit(commandChannel, {}, 'settings')
    expect(heard).toHaveBeenCalledTimes(1)
  })

  test('passes on the page to open and no event, until told to stop', () => {
    const heard = vi.fn<(...args: unknown[]) => void>()
    const stop = bridge.onOpen(heard)
    ipcRenderer.emit(openChannel, { sender: 'an Electron object' }, '/runs/1')
    stop()
    ipcRenderer.emit(openChannel, {}, '/runs/2')
    expect(heard.mock.calls).toEqual([['/runs/1']])
  })

  test('speaks the same types as the main process', () => {
    expectTypeOf<BridgeCommand>().toEqualTypeOf<DesktopCommand>()
    expectTypeOf<SaveOutcome>().toEqualTypeOf<MainSaveOutcome>()
    expect(invokeChannels).toHaveLength(5)
  })
})
