import { posix } from 'node:path'

export interface TestFile {
  /** From the root of the project, as `changed` are. */
  readonly file: string
  readonly text: string
}

/** Runtimes whose features have tests of the running service: `test/api/<feature>*.test.ts`. */
const served = /^src\/(?:contract|storage|service)\/([^/]+)\//

/**
 * The tests that a change most likely breaks: those that changed, those that import a changed module themselves, those of a changed
 * feature's interface, and the rules on the structure. What is further away is left to the whole run: nearly every test of the service
 * imports nearly every module of it in the end.
 */
export function testsNear(changed: readonly string[], tests: readonly TestFile[]): string[] {
  const modules = new Set(changed)
  const features = changed.flatMap(file => served.exec(file)?.[1] ?? [])
  const structure = changed.some(file => file.startsWith('src/'))
  const isNear = ({ file, text }: TestFile) =>
    modules.has(file) ||
    (structure && file.startsWith('test/architecture/')) ||
    features.some(feature => file.startsWith(`test/api/${feature}`)) ||
    importsOf(text).some(target => modules.has(posix.join(posix.dirname(file), target)))
  return tests.filter(isNear).map(({ file }) => file)
}

const importsOf = (text: string) => [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) => target)
