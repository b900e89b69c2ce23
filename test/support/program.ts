import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isBuilt } from '../../src/headless/ensure-built.ts'

/** In `out/main` when what is built is newer than every source: a process or thread then starts in half to a fifth of the processor time. */
const root = fileURLToPath(new URL('../..', import.meta.url))
process.env['ASSAY_TEST_PROGRAM'] ??= isBuilt(root) ? 'built' : 'source'

export const isProgramBuilt = process.env['ASSAY_TEST_PROGRAM'] === 'built'

/** The command line that tests start as a process of its own. */
export const program = `${root}${isProgramBuilt ? 'out/main/headless.js' : 'src/headless/cli.ts'}`

/** Takes the place of `src/workers/worker-file.ts` where threads are started from what is built. */
export function workerFile(name: string): string {
  const file = `${root}out/main/workers/${name}.js`
  if (!existsSync(file)) throw new Error(`The worker ${name} is not built.`)
  return file
}
