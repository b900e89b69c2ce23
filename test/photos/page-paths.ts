import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const renderer = resolve(import.meta.dirname, '../../src/renderer')
/** Leads on to another page, and one that is inside the page of a run. */
const notPages: ReadonlySet<string> = new Set(['runs/new', 'samples'])

/** Paths of every page that needs no id, as the routes name them: a page that is added is photographed. */
export function pagePaths(): readonly string[] {
  const routes = globSync('*/*.routes.tsx', { cwd: renderer }).map(file => readFileSync(resolve(renderer, file), 'utf8'))
  const paths = routes.flatMap(text => [...text.matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path))
  return [...new Set(paths)].filter(path => !path.includes(':') && !notPages.has(path)).toSorted()
}
