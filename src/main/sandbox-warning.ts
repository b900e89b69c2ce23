import { app, type BrowserWindow, dialog } from 'electron'

/**
 * Whether this start runs without Chromium's sandbox: the launcher of an AppImage turns it off where the system gives programs no user
 * namespaces, as Ubuntu since 23.10 does. The launcher's switch is only read here.
 */
export function runsWithoutSandbox(): boolean {
  return app.commandLine.hasSwitch('no-sandbox')
}

export async function warnOfMissingSandbox(window: BrowserWindow): Promise<void> {
  await dialog.showMessageBox(window, {
    type: 'warning',
    message: 'Pages run without Chromium’s sandbox',
    detail:
      'This system gives AppImages no user namespaces. Install the .deb package of Assay instead, which brings an AppArmor profile for them.',
  })
}
