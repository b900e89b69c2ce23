import type { EndpointTable } from '../../contract/endpoint.ts'
import { trimEndOf } from '../../lib/trim-end.ts'

/** Template of the path that a client says it asked, such as `/v1/runs/{run_id}`. */
export type RouteTemplates = (path: string) => string

/**
 * Reads a path or address, without its query, as the route of a table. A path that no route takes keeps the segments that look
 * like words, which show what was mistyped, and loses all others, which may be ids or secrets.
 */
export function routeTemplates(table: EndpointTable): RouteTemplates {
  const routes = [...new Set(Object.values(table).map(endpoint => endpoint.path))]
    .map(path => ({ path, segments: path.split('/'), placeholders: path.split('{').length - 1 }))
    // A fixed segment counts before a placeholder that would take it, too.
    .sort((a, b) => a.placeholders - b.placeholders)
  return path => {
    const segments = pathOf(path).split('/')
    return routes.find(route => matches(route.segments, segments))?.path ?? segments.map(generalise).join('/')
  }
}

function pathOf(address: string): string {
  const path = trimEndOf(
    address
      .trim()
      .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
      .replace(/[?#].*$/s, ''),
    /\//,
  )
  return path.startsWith('/') ? path : `/${path}`
}

function matches(route: readonly string[], path: readonly string[]): boolean {
  return route.length === path.length && route.every((segment, i) => (segment.startsWith('{') ? path[i] !== '' : segment === path[i]))
}

function generalise(segment: string): string {
  return segment === '' || /^(v1|[a-z]{1,24}([._-][a-z]{1,24}){0,3}|\{\w{1,40}\})$/.test(segment) ? segment : '{value}'
}
