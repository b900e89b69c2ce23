import { type OutcomeKind, outcomeKinds } from './outcome-kinds.ts'
import type { StripLayout } from './strip-layout.ts'

/** Cells at least this large carry a sign beside their color. Pixels. */
const signedCell = 6

/** Cells at least this large have a gap between them. Pixels. */
const spacedCell = 4

interface Paint {
  readonly style: CSSStyleDeclaration
  /** Pixels of the screen per pixel of the page. */
  readonly scale: number
}

/** Draws every cell. 100,000 cells must fit into a frame or two. */
export function drawStrip(canvas: HTMLCanvasElement, codes: string, layout: StripLayout): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const scale = window.devicePixelRatio || 1
  canvas.width = Math.round(layout.width * scale)
  canvas.height = Math.round(layout.height * scale)
  const style = getComputedStyle(canvas)
  if (layout.cell < spacedCell) drawPixels(context, codes, layout, { style, scale })
  else drawCells(context, codes, layout, { style, scale })
}

function colorOf({ verdict, tone }: OutcomeKind, style: CSSStyleDeclaration): string {
  return style.getPropertyValue(verdict === 'pending' ? '--line' : `--${tone}`)
}

/** Cells without a gap: pixel by pixel, a tenth of the time of as many rectangles. */
function drawPixels(context: CanvasRenderingContext2D, codes: string, { cell, columns }: StripLayout, { style, scale }: Paint): void {
  const { width, height } = context.canvas
  if (width === 0 || height === 0) return
  const colors: number[] = []
  for (const kind of outcomeKinds) colors[kind.code.charCodeAt(0)] = pixelOf(context, colorOf(kind, style))
  const image = context.createImageData(width, height)
  const pixels = new DataView(image.data.buffer)
  const wide = Math.min(width, Math.round(columns * cell * scale))
  for (let y = 0; y < height; y++) {
    const first = Math.floor(y / (cell * scale)) * columns
    for (let x = 0; x < wide; x++) {
      const index = first + Math.floor(x / (cell * scale))
      if (index < codes.length) pixels.setUint32((y * width + x) * 4, colors[codes.charCodeAt(index)] ?? 0)
    }
  }
  context.putImageData(image, 0, 0)
}

/** A color as the four bytes of an opaque pixel. A canvas says a plain color as "#rrggbb", however it was written. */
function pixelOf(context: CanvasRenderingContext2D, color: string): number {
  context.fillStyle = color
  return Number.parseInt(`${String(context.fillStyle).slice(1, 7)}ff`, 16)
}

/** One color at a time: changing it is what costs. */
function drawCells(context: CanvasRenderingContext2D, codes: string, { cell, columns }: StripLayout, { style, scale }: Paint): void {
  context.scale(scale, scale)
  const surface = style.getPropertyValue('--surface')
  const size = cell - 1
  const placesOf = new Map<string, number[]>()
  for (let index = 0; index < codes.length; index++) {
    const code = codes.charAt(index)
    const places = placesOf.get(code)
    if (places) places.push(index)
    else placesOf.set(code, [index])
  }
  for (const kind of outcomeKinds) {
    const { code, verdict } = kind
    const color = colorOf(kind, style)
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
