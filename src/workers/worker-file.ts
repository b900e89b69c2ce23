import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The built worker beside this file, or its source. A wrong path would crash the process later, so it is looked at now. */
export function workerFile(name: string): string {
  const candidates = [`./workers/${name}.js`, `./${name}.js`, `./${name}.ts`].map(path => fileURLToPath(new URL(path, import.meta.url)))
  const found = candidates.find(path => existsSync(path.replace(/app\.asar([\\/])/, 'app.asar.unpacked$1')))
  if (!found) throw new Error(`The worker ${name} is missing; build the product again with "npm run build".`)
  return found.replace(/app\.asar([\\/])/, 'app.asar.unpacked$1')
}
