import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const root = new URL('../../', import.meta.url)

/** The programs of development, to the packages that they come with. */
const packages = {
  biome: '@biomejs/biome',
  'electron-vite': 'electron-vite',
  knip: 'knip',
  oxlint: 'oxlint',
  playwright: '@playwright/test',
  tsc: 'typescript',
  vitest: 'vitest',
} as const

export type Tool = keyof typeof packages

const Manifest = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) })

/** A program of the project, run by this Node and not by a shell, so that it starts alike on every system; answers its exit code. */
export function runTool(tool: Tool, args: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  return runNode([programOf(tool), ...args], env)
}

interface ToolRun {
  readonly code: number
  readonly printed: string
}

/** The same beside other programs: what it prints is held back, so that theirs stays apart. */
export async function runToolAside(tool: Tool, args: readonly string[]): Promise<ToolRun> {
  const child = spawn(process.execPath, [programOf(tool), ...args], { cwd: fileURLToPath(root), stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const [code]: unknown[] = await once(child, 'close')
  return { code: typeof code === 'number' ? code : 1, printed }
}

/** The same beside programs whose output is held back: this one prints at once. */
export async function runToolInFront(tool: Tool, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [programOf(tool), ...args], { cwd: fileURLToPath(root), stdio: 'inherit' })
  const [code]: unknown[] = await once(child, 'close')
  return typeof code === 'number' ? code : 1
}

/** A script of the project; answers its exit code. */
export function runNode(args: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  const { status, error } = spawnSync(process.execPath, args, {
    cwd: fileURLToPath(root),
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (error) console.error(error.message)
  return status ?? 1
}

function programOf(tool: Tool): string {
  const folder = new URL(`node_modules/${packages[tool]}/`, root)
  const { bin } = Manifest.parse(JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')))
  const path = typeof bin === 'string' ? bin : bin[tool]
  if (path === undefined) throw new Error(`${packages[tool]} has no program "${tool}".`)
  return fileURLToPath(new URL(path, folder))
}
