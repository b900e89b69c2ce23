import { Menu, Tray } from 'electron'
import { titleOf } from './show-work.ts'
import type { Work } from './watch-runs.ts'

export interface TrayActions {
  readonly open: () => void
  readonly quit: () => void
}

/** The icon beside the clock while the window is hidden and runs are working. */
export interface WorkTray {
  readonly show: (work: Work) => void
  readonly hide: () => void
}

export function createWorkTray(icon: string, actions: TrayActions): WorkTray {
  let tray: Tray | null = null
  return {
    show: work => {
      if (tray === null) {
        tray = new Tray(icon)
        tray.on('click', actions.open)
      }
      const state = work.runs === 0 ? 'No runs are working' : titleOf('Assay', work)
      tray.setToolTip(state)
      // Linux shows no tooltip in most panels: the first item says the same. A menu that changes must be set again.
      tray.setContextMenu(
        Menu.buildFromTemplate([
          { label: state, enabled: false },
          { type: 'separator' },
          { label: 'Open Assay', click: actions.open },
          { label: 'Quit Assay', click: actions.quit },
        ]),
      )
    },
    hide: () => {
      tray?.destroy()
      tray = null
    },
  }
}
