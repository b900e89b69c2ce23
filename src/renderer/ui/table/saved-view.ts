/** A list's address under a name. */
export interface SavedView {
  readonly name: string
  /** Filters and order, as in the address. */
  readonly query: string
}

/** The part of an address that a view keeps: not the row that is open. */
export function readView(params: URLSearchParams): string {
  const kept = new URLSearchParams(params)
  kept.delete('open')
  kept.sort()
  return kept.toString()
}

/** With a view, which replaces one of the same name; by name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  return [...withoutView(views, view.name), view].toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

export function withoutView(views: readonly SavedView[], name: string): readonly SavedView[] {
  return views.filter(view => view.name !== name)
}
