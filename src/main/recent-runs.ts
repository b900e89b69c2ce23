import { app, Menu } from 'electron'
import { linkScheme } from './open-target.ts'

/** A run as dock, jump list and menu name it. */
export interface RecentRun {
  readonly id: string
  readonly name: string
}

/** Windows cuts longer ones. */
const longestTitle = 255

/** Shows recent runs in the dock's menu (macOS) or the jump list (Windows); other systems have neither. */
export function showRecentRuns(
  runs: readonly RecentRun[],
  open: (path: string) => void,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'darwin') {
    app.dock?.setMenu(Menu.buildFromTemplate(runs.map(({ id, name }) => ({ label: name, click: () => open(`/runs/${id}`) }))))
  } else if (platform === 'win32') {
    const items = runs.map(({ id, name }) => ({
      type: 'task' as const,
      title: name.slice(0, longestTitle),
      program: process.execPath,
      args: `${linkScheme}://runs/${id}`,
      iconPath: process.execPath,
      iconIndex: 0,
    }))
    app.setJumpList(items.length === 0 ? null : [{ type: 'custom', name: 'Recent runs', items }])
  }
}
