import type { ComponentType } from 'react'

type Load = () => Promise<unknown>

/** Delay before the other pages are preloaded, so that the first one does not compete with them. */
const WARM_UP_MS = 3_000

const pages = new Set<Load>()

/** The code of a page did not arrive. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded'
}

/** A route's `lazy`: the code of a page is read when the page is first opened, or when the browser has nothing else to do. */
export function lazyPage<Name extends string>(load: () => Promise<Readonly<Record<Name, ComponentType>>>, name: Name) {
  pages.add(load)
  return async () => {
    try {
      return { Component: (await load())[name] }
    } catch (cause) {
      throw new PageNotLoaded('The service did not send it: it was stopped, or Assay was updated meanwhile.', { cause })
    }
  }
}

/** Loads every page, one per idle moment, so that a page opens at once and even after the service has stopped. */
export function warmUpPages(): void {
  const waiting = [...pages]
  const next = (): void => {
    const load = waiting.shift()
    // A page that fails to load here is loaded again, and its failure shown, once somebody opens it.
    if (load) void load().then(whenIdle, whenIdle)
  }
  // Safari has no idle callbacks.
  const whenIdle = (): void => void ('requestIdleCallback' in globalThis ? requestIdleCallback(next) : setTimeout(next, 50))
  setTimeout(whenIdle, WARM_UP_MS)
}
