import { isValidElement, type ReactElement, type ReactNode } from 'react'

/** An element of a chart. Charts are plain elements without components inside, so they can be read without a browser. */
export interface Shape {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly children: readonly (Shape | string)[]
}

export interface Drawing {
  readonly root: Shape
  /** Every element, in drawing order. */
  readonly shapes: readonly Shape[]
  /** Texts as a reader sees them, without titles that only show on hovering. */
  readonly texts: readonly string[]
}

export function draw(chart: ReactElement): Drawing {
  const root = shape(chart)
  const shapes = withDescendants(root)
  return { root, shapes, texts: shapes.filter(one => one.tag === 'text').map(ownText) }
}

export function byTag({ shapes }: Drawing, tag: string): Shape[] {
  return shapes.filter(one => one.tag === tag)
}

/** An attribute that must be a number. */
export function numberOf(one: Shape | undefined, name: string): number {
  const value = one?.attributes[name]
  if (typeof value !== 'number') throw new Error(`${name} of ${one?.tag} is ${String(value)}, not a number`)
  return value
}

export function textOf(one: Shape | undefined): string {
  return one === undefined ? '' : one.children.map(child => (typeof child === 'string' ? child : textOf(child))).join('')
}

export function childText(one: Shape, tag: string): string {
  return textOf(one.children.find((child): child is Shape => typeof child !== 'string' && child.tag === tag))
}

/** Height of the drawing in its own units. */
export function heightOf({ root }: Drawing): number {
  return Number(String(root.attributes['viewBox']).split(' ')[3])
}

/** Numbers in every coordinate, path and size of a drawing. */
export function coordinates({ shapes }: Drawing): number[] {
  const names = ['x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'width', 'height', 'd', 'viewBox']
  return shapes
    .flatMap(one => names.flatMap(name => String(one.attributes[name] ?? '').match(/NaN|Infinity|-?\d+(?:\.\d+)?/g) ?? []))
    .map(Number)
}

function shape(element: ReactElement): Shape {
  if (typeof element.type !== 'string') throw new Error('a chart must consist of plain elements')
  // The attributes that charts set are all texts or numbers; React types props as unknown.
  const { children, ...attributes } = element.props as { children?: ReactNode } & Record<string, string | number>
  return { tag: element.type, attributes, children: nodes(children) }
}

function nodes(children: ReactNode): (Shape | string)[] {
  if (Array.isArray(children)) return children.flatMap(nodes)
  if (isValidElement(children)) return [shape(children)]
  return typeof children === 'string' || typeof children === 'number' ? [String(children)] : []
}

function withDescendants(one: Shape): Shape[] {
  return [one, ...one.children.flatMap(child => (typeof child === 'string' ? [] : withDescendants(child)))]
}

function ownText(one: Shape): string {
  return one.children.filter(child => typeof child === 'string').join('')
}
