import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

/** Fields of the checkout's package.json that the installed one has, too. */
const Manifest = z.object({
  name: z.string(),
  productName: z.string(),
  version: z.string(),
  description: z.string(),
  author: z.string(),
  license: z.string(),
  engines: z.object({ node: z.string() }),
  dependencies: z.record(z.string(), z.string()),
})
const SourceMap = z.object({ sources: z.array(z.string()) })

/** Of the desktop window only. */
const desktopOnly: readonly string[] = ['electron-store']

/**
 * Lays out what the package holds: the built program, its resources and commands, with the packages that are not built in as dependencies,
 * at the versions of the checkout's lock file.
 * @param root the checkout, built
 * @param folder empty, or not there
 * @returns names of the packages that are built in
 */
export async function stagePackage(root: string, folder: string): Promise<string[]> {
  const manifest = Manifest.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  const isShipped = (path: string) => !path.endsWith('.map') && !path.endsWith('electron-builder.yml')
  const isDesktop = (path: string) => /^(out[\\/](preload|main[\\/](index|service)\.js$)|resources[\\/]icons?)/.test(relative(root, path))
  await mkdir(join(folder, 'bin'), { recursive: true })
  for (const part of ['out', 'resources', 'README.md', 'LICENSE'])
    await cp(join(root, part), join(folder, part), { recursive: true, filter: path => isShipped(path) && !isDesktop(path) })
  await cp(join(import.meta.dirname, 'bin.mjs'), join(folder, 'bin/assay.mjs'))

  const builtIn = await packagesIn(join(root, 'out'))
  const dependencies = Object.fromEntries(
    Object.entries(manifest.dependencies).filter(([name]) => !builtIn.includes(name) && !desktopOnly.includes(name)),
  )
  const { name, productName, version, description, author, license, engines } = manifest
  const installed = { name, productName, version, description, author, license, type: 'module', bin: { assay: 'bin/assay.mjs' }, engines }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...installed, dependencies }, null, 2)}\n`)
  await cp(join(root, 'package-lock.json'), join(folder, 'package-lock.json'))
  await runNpm(folder, ['install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund'])
  await rename(join(folder, 'package-lock.json'), join(folder, 'npm-shrinkwrap.json'))
  return builtIn
}

export interface Packed {
  /** Path of the tarball. */
  readonly tarball: string
  /** Names of the packages that are built in. */
  readonly builtIn: readonly string[]
  /** Text of its npm-shrinkwrap.json. */
  readonly lock: string
}

/** Stages and packs; the tarball lies in `folder`. */
export async function pack(root: string, folder: string): Promise<Packed> {
  const staged = join(folder, 'staged')
  await rm(staged, { recursive: true, force: true })
  const builtIn = await stagePackage(root, staged)
  const lock = await readFile(join(staged, 'npm-shrinkwrap.json'), 'utf8')
  await runNpm(staged, ['pack', '--ignore-scripts', '--pack-destination', folder])
  await rm(staged, { recursive: true })
  const { name, version } = Manifest.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  return { tarball: join(folder, `${name}-${version}.tgz`), builtIn, lock }
}

/** Packages whose code is in the built files, by their source maps. */
async function packagesIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true })).filter(path => path.endsWith('.map'))
  const maps = await Promise.all(files.map(async path => SourceMap.parse(JSON.parse(await readFile(join(folder, path), 'utf8')))))
  const names = maps
    .flatMap(({ sources }) => sources)
    .map(source => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source.replaceAll(sep, '/'))?.[1])
    .filter(name => name !== undefined)
  return [...new Set(names)].toSorted()
}

export async function runNpm(cwd: string, args: readonly string[]): Promise<string> {
  const isWindows = process.platform === 'win32'
  const { stdout } = await promisify(execFile)(isWindows ? 'npm.cmd' : 'npm', args, { cwd, shell: isWindows, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}
