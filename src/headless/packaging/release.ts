import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { appVersion } from '../../service/version.ts'
import { ensureBuilt } from '../ensure-built.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { pack } from './stage-package.ts'

/**
 * `npm run release -- --dry-run`: the package, its bill of materials, checksums and the changelog's section, in `dist/release`. Nothing is
 * published; the same commit gives the same bytes.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url))

export async function prepareRelease(folder: string): Promise<string[]> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { tarball, builtIn, lock } = await pack(root, folder)
  const { stdout: committedAt } = await promisify(execFile)('git', ['log', '-1', '--format=%cI'], { cwd: root })
  const bom = join(folder, `${basename(tarball, '.tgz')}.cdx.json`)
  await writeFile(bom, await billOfMaterials(root, lock, builtIn, new Date(committedAt.trim()).toISOString()))
  const notes = join(folder, 'CHANGES.md')
  await writeFile(notes, changesOf(appVersion, await readFile(join(root, 'resources/CHANGELOG.md'), 'utf8')))
  const files = [tarball, bom, notes]
  const sums = await Promise.all(
    files.map(
      async file =>
        `${createHash('sha256')
          .update(await readFile(file))
          .digest('hex')}  ${basename(file)}\n`,
    ),
  )
  const checksums = join(folder, 'SHA256SUMS')
  await writeFile(checksums, sums.join(''))
  return [...files, checksums]
}

/** The changelog's section of a version; before it has one, what is unreleased. */
export function changesOf(version: string, changelog: string): string {
  const sections = changelog.split(/^(?=## )/m)
  const section = sections.find(text => text.startsWith(`## ${version}`)) ?? sections.find(text => text.startsWith('## Unreleased'))
  if (section === undefined) throw new Error(`The changelog has no section for ${version}, and none that is unreleased.`)
  return section
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
  if (!values['dry-run']) {
    console.error('Nothing is published by this program. Run it with --dry-run and publish the files that it writes.')
    process.exitCode = 2
  } else {
    await ensureBuilt(root)
    for (const file of await prepareRelease(join(root, 'dist/release'))) console.log(file)
  }
}
