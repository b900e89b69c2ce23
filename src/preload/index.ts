import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { AssayBridge, DesktopCommand } from './bridge.ts'

/** Channel names are written out here, so that no page can choose one, and events stay on this side. */
const bridge: AssayBridge = {
  platform: process.platform,
  saveFile: (suggestedName, data) => ipcRenderer.invoke('assay:save-file', suggestedName, data),
  printPdf: (html, suggestedName) => ipcRenderer.invoke('assay:print-pdf', html, suggestedName),
  openSaved: () => ipcRenderer.invoke('assay:open-saved'),
  pathOf: file => webUtils.getPathForFile(file),
  findInPage: (text, forward, next) => ipcRenderer.invoke('assay:find', text, forward, next),
  stopFinding: () => ipcRenderer.invoke('assay:stop-finding'),
  onOpen: callback => {
    const listener = (_event: unknown, path: string) => callback(path)
    ipcRenderer.on('assay:open', listener)
    return () => {
      ipcRenderer.off('assay:open', listener)
    }
  },
  onCommand: callback => {
    const listener = (_event: unknown, command: DesktopCommand) => callback(command)
    ipcRenderer.on('assay:command', listener)
    return () => {
      ipcRenderer.off('assay:command', listener)
    }
  },
}

contextBridge.exposeInMainWorld('assay', bridge)
