import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What a build is made from, below the project's folder. */
const sources = ['src', 'electron.vite.config.ts', 'package.json']
/** What a whole build leaves, one file of each part. */
const products = ['out/main/index.js', 'out/main/service.js', 'out/main/headless.js', 'out/preload/index.cjs', 'out/renderer/index.html']

/** Whether every part is built and no source is newer than the oldest part. */
export function isBuilt(root: string): boolean {
  const files = products.map(path => join(root, path))
  return (
    files.every(file => existsSync(file)) && Math.min(...files.map(modified)) >= Math.max(...sources.map(path => newest(join(root, path))))
  )
}

/** Milliseconds since 1970 of the last change of a file, or of anything in a folder. */
function newest(path: string): number {
  if (!existsSync(path)) return 0
  if (!statSync(path).isDirectory()) return modified(path)
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, modified(join(entry.parentPath, entry.name))), 0)
}

function modified(path: string): number {
  return statSync(path).mtimeMs
}

/**
 * Builds the product where its sources have changed since the last build.
 * @throws Error with the builder's output when the build fails, and when the builder is not installed.
 */
export async function ensureBuilt(root: string): Promise<void> {
  if (isBuilt(root)) return
  console.log('Building Assay (first start, or its sources have changed) ...')
  const child = spawn(process.execPath, [builder(root), 'build', '--logLevel', 'warn'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
  const [code]: unknown[] = await once(child, 'close')
  if (code !== 0) throw new Error(`The build failed. It said:\n\n${output.join('')}`)
}

function builder(root: string): string {
  try {
    const manifest = createRequire(join(root, 'package.json')).resolve('electron-vite/package.json')
    // A cast because JSON.parse knows no types; the field is part of every published version.
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<'electron-vite', string> }
    return join(dirname(manifest), bin['electron-vite'])
  } catch (cause) {
    throw new Error('Assay is not built and its builder is not installed. Run "npm ci", then start again.', { cause })
  }
}
