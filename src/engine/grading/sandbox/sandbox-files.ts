import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SandboxFiles } from './tier.ts'

/** In this order: what runs at once needs nothing from a later part. */
const harnessParts = ['channel', 'values', 'newer', 'program', 'candidate', 'checker']

/**
 * The sandbox's programs, beside the source or beside the built product.
 * @param cache folder for the snapshot of the portable tier; null keeps none
 * @throws Error when the product is not whole
 */
export function findSandboxFiles(cache: string | null): SandboxFiles {
  return {
    harness: harnessParts.map(part => resource(`harness/${part}.py`)).join('\n'),
    linux: resource('linux.py'),
    portableEntry: find('../../../workers/python-wasm.worker.ts', './python-wasm.worker.js', './workers/python-wasm.worker.js'),
    pyodide: unpacked(dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))),
    javascriptEntry: find(
      '../../../workers/javascript-wasm.worker.ts',
      './javascript-wasm.worker.js',
      './workers/javascript-wasm.worker.js',
    ),
    javascriptHarness: resource('harness.js'),
    worldHarness: resource('world.js'),
    quickjs: quickjsFiles(),
    cache,
  }
}

/** Built, this file is part of a thread or of a chunk beside the entries, one folder higher. */
function resource(name: string): string {
  const places = ['../../../../resources', '../../resources', '../../../resources']
  return readFileSync(find(...places.map(place => `${place}/sandbox/${name}`)), 'utf8')
}

/** What the JavaScript tier loads, and the folders that it reads for that. */
function quickjsFiles(): SandboxFiles['quickjs'] {
  const { resolve } = createRequire(import.meta.url)
  const variantFolder = dirname(resolve('@jitl/quickjs-ng-wasmfile-release-sync/package.json'))
  // Neither tells where its package lies; the module beside the one for `require` is the one for `import`.
  const core = resolve('quickjs-emscripten-core').replace(/\.js$/, '.mjs')
  const types = createRequire(core).resolve('@jitl/quickjs-ffi-types')
  return {
    core: unpacked(core),
    variant: unpacked(join(variantFolder, 'dist', 'index.mjs')),
    folders: [dirname(dirname(core)), variantFolder, dirname(dirname(types))].map(unpacked),
  }
}

function find(...candidates: readonly string[]): string {
  const paths = candidates.map(path => unpacked(fileURLToPath(new URL(path, import.meta.url))))
  const found = paths.find(path => existsSync(path))
  if (found === undefined) throw new Error(`${candidates[0]} is missing; build the product again with "npm run build".`)
  return found
}

/** Other processes cannot read the app's archive. */
function unpacked(path: string): string {
  return path.replace(/app\.asar([\\/])/, 'app.asar.unpacked$1')
}
