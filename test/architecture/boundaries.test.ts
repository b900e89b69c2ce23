import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Import, importsIn } from './parse-module.ts'
import { sources as files } from './sources.ts'

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
const names = z.record(z.string(), z.string())

/** Who may import whom: our folders, and packages by name; `node` stands for Node's own modules. */
const rules: Readonly<Record<string, { readonly ours: readonly string[]; readonly packages: readonly (string | RegExp)[] }>> = {
  contract: { ours: [], packages: ['zod'] },
  lib: { ours: [], packages: [] },
  charts: { ours: ['contract', 'lib'], packages: ['react', /^d3-/] },
  engine: {
    ours: ['contract', 'lib', 'charts'],
    packages: [
      'node',
      'zod',
      'undici',
      'eventsource-parser',
      'ipaddr.js',
      'gpt-tokenizer',
      're2js',
      'saxes',
      'pure-rand',
      'simple-statistics',
      'fastest-levenshtein',
      'ajv',
      '@bufbuild/protobuf',
      'hyparquet',
      'hyparquet-writer',
      '@huggingface/jinja',
      'react',
      'react-dom',
      'yaml',
      'jsonpath-rfc9535',
    ],
  },
  storage: { ours: ['contract', 'lib'], packages: ['node', 'zod', 'better-sqlite3', 'kysely', 'lru-cache'] },
  workers: {
    ours: ['contract', 'lib', 'engine', 'storage'],
    packages: ['node', 'zod', 'piscina', 'quickjs-emscripten-core', '@huggingface/gguf', '@huggingface/jinja', 'sharp'],
  },
  service: {
    ours: ['contract', 'lib', 'engine', 'storage', 'workers'],
    packages: [
      'node',
      'zod',
      'fastify',
      /^@fastify\//,
      '@modelcontextprotocol/server',
      'pino',
      'uuid',
      'better-sqlite3',
      'kysely',
      'lru-cache',
      'pg-boss',
      'tar',
    ],
  },
  headless: {
    ours: ['contract', 'lib', 'service', 'engine', 'workers'],
    packages: [
      'node',
      'zod',
      'vite',
      'commander',
      '@modelcontextprotocol/client',
      '@modelcontextprotocol/server',
      '@bomb.sh/tab',
      'yaml',
      'eventsource-parser',
      'open',
      'uuid',
    ],
  },
  main: { ours: ['contract', 'lib', 'service', 'headless', 'preload'], packages: ['node', 'electron', 'electron-store'] },
  preload: { ours: ['contract'], packages: ['electron'] },
  renderer: {
    ours: ['contract', 'lib', 'charts', 'preload'],
    packages: [
      'react',
      'react-dom',
      'react-router',
      /^@mantine\//,
      /^@tanstack\//,
      'csv-parse',
      'eventsource-parser',
      'zod',
      'hast',
      'katex',
      'react-markdown',
      /^remark-/,
      /^@fontsource-variable\//,
    ],
  },
}

const packageOf = (target: string): string => (target.startsWith('node:') ? 'node' : (/^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? ''))
const isEntry = (entry: string | RegExp, name: string) => (typeof entry === 'string' ? entry === name : entry.test(name))

/** Packages that a folder may import and does not, and those that are not installed. */
function idlePackages(runtime: string, packages: readonly (string | RegExp)[], imports: readonly Import[]): string[] {
  const used = imports
    .filter(({ file, target }) => file.startsWith(`${runtime}/`) && !target.startsWith('.'))
    .map(({ target }) => packageOf(target))
  const twice = packages.filter((entry, i) => packages.findIndex(other => String(other) === String(entry)) !== i)
  return [...packages.filter(entry => !used.some(name => isEntry(entry, name))), ...twice].map(entry => `${runtime}: ${String(entry)}`)
}

/** Why an import may not be, or null. */
function violation({ file, target, typeOnly }: Import): string | null {
  const [runtime = '', feature = ''] = file.split('/')
  const rule = rules[runtime]
  if (!rule) return `${file}: the folder ${runtime} has no rule`
  if (!target.startsWith('.')) {
    const name = packageOf(target)
    const allowed = rule.packages.some(entry => isEntry(entry, name))
    return allowed ? null : `${file} imports the package ${name}, which ${runtime} may not`
  }
  const path = join(file, '..', target)
  const [otherRuntime = '', otherFeature = ''] = path.split('/')
  if (otherRuntime !== runtime) return rule.ours.includes(otherRuntime) ? null : `${file} imports ${path}, which ${runtime} may not`
  const isDoor = /\/index\.ts$|\.types\.ts$/.test(path)
  const isFeature = runtime === 'service' && feature !== otherFeature && path.split('/').length > 2 && file.split('/').length > 2
  if (isFeature && !typeOnly && !['http', 'lifecycle'].includes(otherFeature) && !isDoor)
    return `${file} goes past the door of ${otherFeature}: ${path}`
  return null
}

describe('who may import whom', () => {
  test('every module is read', () => {
    expect(files.length).toBeGreaterThan(100)
    expect(files.flatMap(({ file, text }) => importsIn(file, text)).length).toBeGreaterThan(300)
  })

  test('holds', () => {
    const found = files.flatMap(({ file, text }) => importsIn(file, text)).flatMap(entry => violation(entry) ?? [])
    expect(found).toEqual([])
  })

  test.each([
    ['contract/x.ts', "import { readFileSync } from 'node:fs'"],
    ['engine/x.ts', "import Database from 'better-sqlite3'"],
    ['renderer/x.tsx', "import { createService } from '../service/create-service.ts'"],
    ['headless/x.ts', "import { app } from 'electron'"],
    ['renderer/x.mts', "const fs = require('node:fs')"],
    ['workers/x.ts', "import { createRuns } from '../service/runs/index.ts'"],
    ['service/runs/x.ts', "import { insertQuote } from '../quotes/quotes.store.ts'"],
  ])('a planted violation in %s is seen', (file, text) => {
    expect(importsIn(file, text).map(violation)).toEqual([expect.any(String)])
  })

  test('names no package that its folder does not import, and none twice', () => {
    const imports = files.flatMap(({ file, text }) => importsIn(file, text))
    expect(Object.entries(rules).flatMap(([runtime, { packages }]) => idlePackages(runtime, packages, imports))).toEqual([])
    const planted = [...(rules['lib']?.packages ?? []), 'left-pad', 'left-pad']
    expect(idlePackages('lib', planted, imports)).toEqual(['lib: left-pad', 'lib: left-pad', 'lib: left-pad'])
  })

  test('imports only packages that the project itself installs', () => {
    const { dependencies = {}, devDependencies = {} } = z
      .object({ dependencies: names, devDependencies: names })
      .partial()
      .parse(JSON.parse(manifest))
    const installed = new Set(['node', ...Object.keys({ ...dependencies, ...devDependencies }).map(name => name.replace('@types/', ''))])
    const imported = new Set(
      files
        .flatMap(({ file, text }) => importsIn(file, text))
        .filter(({ target }) => !target.startsWith('.'))
        .map(({ target }) => packageOf(target)),
    )
    expect([...imported].filter(name => !installed.has(name))).toEqual([])
  })

  test('no file outgrows its page', () => {
    const long = files
      .filter(({ text }) => text.split('\n').length > 400)
      .map(({ file, text }) => `${file}: ${text.split('\n').length} lines`)
    expect(long).toEqual([])
  })
})
