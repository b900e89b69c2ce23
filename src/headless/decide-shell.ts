import { join } from 'node:path'

/** Where the Electron package lies and what its installer noted; null where the package is not installed. */
export interface ElectronPackage {
  readonly dir: string
  /** Content of its `path.txt`: the program within its folder `dist`. Null before the program has been downloaded. */
  readonly program: string | null
}

export interface ShellFacts {
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  readonly electron: ElectronPackage | null
  /** Whether this process runs as root. */
  readonly root: boolean
  readonly exists: (path: string) => boolean
}

export type ShellDecision =
  | { readonly shell: 'desktop'; readonly program: string; readonly reason: string }
  | { readonly shell: 'headless'; readonly reason: string }

/** Whether a start opens the desktop app or serves the same UI to a browser, and why. Loads nothing from Electron: doing so would start its download. */
export function decideShell(facts: ShellFacts): ShellDecision {
  const headless = (reason: string): ShellDecision => ({ shell: 'headless', reason })
  if (facts.electron === null) return headless('Electron is not installed')
  const program = electronProgram(facts.electron, facts)
  if (!facts.exists(program)) return headless(`Electron's program is not at ${program} ("npx --no install-electron" downloads it)`)
  if (facts.platform === 'linux') {
    if (!facts.env['DISPLAY'] && !facts.env['WAYLAND_DISPLAY'])
      return headless('there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)')
    if (facts.root) return headless("Electron's sandbox does not run as root")
  }
  return { shell: 'desktop', program, reason: `Electron is at ${program}` }
}

function electronProgram(electron: ElectronPackage, facts: ShellFacts): string {
  const program = electron.program ?? usualProgram(facts.platform)
  const override = facts.env['ELECTRON_OVERRIDE_DIST_PATH']
  return override ? join(override, program) : join(electron.dir, 'dist', program)
}

function usualProgram(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron'
  return platform === 'win32' ? 'electron.exe' : 'electron'
}
