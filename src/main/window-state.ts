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

/**
 * The remembered state where a screen still shows it, and the first state where the screen has gone; neither larger than its screen.
 * `screens` are work areas, the primary screen's first: 1366 × 768 at 150 % is 911 × 512.
 */
export function visibleState(remembered: unknown, screens: readonly Rectangle[]): WindowState {
  const state = parseWindowState(remembered)
  const screen = state === null ? undefined : screenOf(state.bounds, screens)
  if (state !== null && screen !== undefined) return { bounds: fitInto(state.bounds, screen), maximized: state.maximized }
  const [primary] = screens
  const { width, height } = firstWindowState.bounds
  if (primary === undefined || (width <= primary.width && height <= primary.height)) return firstWindowState
  return { bounds: { width: Math.min(width, primary.width), height: Math.min(height, primary.height) }, maximized: false }
}

/** Where a window belongs whose screen was unplugged or has changed: null where it can stay. */
export function movedOnto(bounds: Rectangle, screens: readonly Rectangle[]): Rectangle | null {
  const screen = screenOf(bounds, screens) ?? screens[0]
  if (screen === undefined) return null
  const kept = screenOf(bounds, screens) === undefined ? { ...bounds, x: screen.x, y: screen.y } : bounds
  const fitted = fitInto(kept, screen)
  return fitted.x === bounds.x && fitted.y === bounds.y && fitted.width === bounds.width && fitted.height === bounds.height ? null : fitted
}

/** The largest of what every screen can show, so that the window can be moved to each. */
export function smallestSize(
  least: Pick<Rectangle, 'width' | 'height'>,
  screens: readonly Rectangle[],
): Pick<Rectangle, 'width' | 'height'> {
  return {
    width: Math.min(least.width, ...screens.map(({ width }) => width)),
    height: Math.min(least.height, ...screens.map(({ height }) => height)),
  }
}

function screenOf(window: Rectangle, screens: readonly Rectangle[]): Rectangle | undefined {
  return screens.find(screen => isGraspable(window, screen))
}

/** Cuts to the size of the screen. What had to be cut is moved in whole; what fits stays where it was, half outside if people left it so. */
function fitInto(window: Rectangle, screen: Rectangle): Rectangle {
  const width = Math.min(window.width, screen.width)
  const height = Math.min(window.height, screen.height)
  return { x: width < window.width ? screen.x : window.x, y: height < window.height ? screen.y : window.y, width, height }
}

function isGraspable(window: Rectangle, screen: Rectangle): boolean {
  const across = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x)
  const down = Math.min(window.y + window.height, screen.y + screen.height) - Math.max(window.y, screen.y)
  return across >= graspable && down >= graspable && window.y >= screen.y
}
