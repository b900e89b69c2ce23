import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quickjsFiles } from '../../../src/engine/sandbox/sandbox-files.ts'
import type { SandboxFiles } from '../../../src/engine/sandbox/tier.ts'

const root = new URL('../../../', import.meta.url)
const text = (name: string) => readFileSync(new URL(`resources/sandbox/${name}`, root), 'utf8')

/** The sandbox's programs where they lie in the repository; the snapshot is kept between runs of the tests. */
export const sandboxFiles: SandboxFiles = {
  harness: text('harness.py'),
  linux: text('linux.py'),
  portableEntry: fileURLToPath(new URL('src/workers/python-wasm.worker.ts', root)),
  pyodide: dirname(createRequire(import.meta.url).resolve('pyodide/package.json')),
  javascriptEntry: fileURLToPath(new URL('src/workers/javascript-wasm.worker.ts', root)),
  javascriptHarness: text('harness.js'),
  quickjs: quickjsFiles(),
  cache: join(tmpdir(), 'assay-test-sandbox'),
}
