/** A rectangle in device-independent pixels. */
export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where the window is; without a position the system centers it. */
export interface WindowState {
  readonly bounds: Rectangle | Pick<Rectangle, 'width' | 'height'>
  readonly maximized: boolean
}

export const firstWindowState: WindowState = { bounds: { width: 1280, height: 800 }, maximized: false }

/** How much of the window must lie on a screen, each way, for a hand to be able to take hold of it. */
const graspable = 100

/** The state read from a settings file, or null where it is not one: people edit files. */
export function parseWindowState(value: unknown): (WindowState & { readonly bounds: Rectangle }) | null {
  if (typeof value !== 'object' || value === null || !('bounds' in value) || !('maximized' in value)) return null
  const { bounds, maximized } = value
  if (typeof maximized !== 'boolean' || typeof bounds !== 'object' || bounds === null) return null
  if (!('x' in bounds && 'y' in bounds && 'width' in bounds && 'height' in bounds)) return null
  const { x, y, width, height } = bounds
  if (!isPixels(x) || !isPixels(y) || !isPixels(width) || !isPixels(height) || width < 1 || height < 1) return null
  return { bounds: { x, y, width, height }, maximized }
}

function isPixels(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 100_000
}

/** The remembered state where a screen still shows it, and the first state where the screen has gone. */
export function visibleState(remembered: unknown, screens: readonly Rectangle[]): WindowState {
  const state = parseWindowState(remembered)
  return state !== null && screens.some(screen => isGraspable(state.bounds, screen)) ? state : firstWindowState
}

function isGraspable(window: Rectangle, screen: Rectangle): boolean {
  const across = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x)
  const down = Math.min(window.y + window.height, screen.y + screen.height) - Math.max(window.y, screen.y)
  return across >= graspable && down >= graspable && window.y >= screen.y
}
