import { z } from 'zod'
import { withMonth } from '../../lib/task-dates.ts'

const Facets = z.record(z.string(), z.string())
const mostKnown = 10_000

/** Reads the facets of tasks, by which results are broken down; equal texts are parsed once. */
export function createFacetsReader(): (text: string) => Readonly<Record<string, string>> {
  const known = new Map<string, Readonly<Record<string, string>>>()
  return text => {
    const found = known.get(text)
    if (found !== undefined) return found
    const facets = withMonth(Facets.parse(JSON.parse(text)))
    if (known.size < mostKnown) known.set(text, facets)
    return facets
  }
}
