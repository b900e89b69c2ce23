import { outcomeKinds } from './outcome-kinds.ts'
import type { StripLayout } from './strip-layout.ts'

/** Cells at least this large carry a sign beside their color. Pixels. */
const signedCell = 6

/** Draws every cell. One color at a time: changing it is what costs, and 100,000 cells must fit into a frame or two. */
export function drawStrip(canvas: HTMLCanvasElement, codes: string, layout: StripLayout): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const scale = window.devicePixelRatio || 1
  canvas.width = Math.round(layout.width * scale)
  canvas.height = Math.round(layout.height * scale)
  context.scale(scale, scale)
  const style = getComputedStyle(canvas)
  const surface = style.getPropertyValue('--surface')
  const { cell, columns } = layout
  const gap = cell >= 4 ? 1 : 0
  const size = cell - gap
  const placesOf = new Map<string, number[]>()
  for (let index = 0; index < codes.length; index++) {
    const code = codes.charAt(index)
    const places = placesOf.get(code)
    if (places) places.push(index)
    else placesOf.set(code, [index])
  }
  for (const { code, verdict, tone } of outcomeKinds) {
    const color = style.getPropertyValue(verdict === 'pending' ? '--line' : `--${tone}`)
    context.fillStyle = color
    context.strokeStyle = color
    for (const index of placesOf.get(code) ?? []) {
      const x = (index % columns) * cell
      const y = Math.floor(index / columns) * cell
      if (cell < signedCell) context.fillRect(x, y, size, size)
      else drawCell(context, verdict, { x, y, size, surface, color })
    }
  }
}

interface Cell {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly surface: string
  readonly color: string
}

/** Correct is full, wrong is cut by a stroke, partial is half, unscored is hollow, failed is a cross: readable without color. */
function drawCell(context: CanvasRenderingContext2D, verdict: (typeof outcomeKinds)[number]['verdict'], cell: Cell): void {
  const { x, y, size, surface, color } = cell
  switch (verdict) {
    case 'wrong':
      context.fillRect(x, y, size, size)
      context.strokeStyle = surface
      context.lineWidth = 1.25
      line(context, x, y + size, x + size, y)
      return
    case 'partial':
      context.fillRect(x, y + size / 2, size, size / 2)
      context.strokeStyle = color
      context.lineWidth = 1
      context.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1)
      return
    case 'unscored':
    case 'missing':
      context.lineWidth = 1
      context.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1)
      return
    case 'failed':
      context.lineWidth = 1.5
      line(context, x + 0.5, y + 0.5, x + size - 0.5, y + size - 0.5)
      line(context, x + 0.5, y + size - 0.5, x + size - 0.5, y + 0.5)
      return
    default:
      context.fillRect(x, y, size, size)
  }
}

function line(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath()
  context.moveTo(x1, y1)
  context.lineTo(x2, y2)
  context.stroke()
}
