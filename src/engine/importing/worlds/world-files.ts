import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { WorldDefinition } from '../../../contract/worlds/worlds.schemas.ts'
import { ArchiveError } from '../../archives/archive.ts'
import { openZip } from '../../archives/read-zip.ts'
import { slugOf } from '../../content/benchmarks/own-benchmark.ts'
import { OrderFault } from '../files/order-fault.ts'
import { RowError } from '../files/row.ts'
import { bfclWorlds } from './bfcl-worlds.ts'
import { promptfooWorld } from './promptfoo-worlds.ts'
import type { PlainCall } from './python-calls.ts'

export interface WorldFile {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface ImportedWorlds {
  readonly worlds: readonly {
    readonly slug: string
    readonly definition: WorldDefinition
    /** By task: calls that are played to tell what it expects. Empty where the file says it. */
    readonly references: ReadonlyMap<string, readonly PlainCall[]>
  }[]
  /** What is not imported, or is done in another way. */
  readonly left: readonly string[]
}

type Roles = Pick<WorldDefinition, 'user_model' | 'judge'>

/**
 * The worlds of files: BFCL's folder `data` as a zip archive, or a promptfoo configuration with the files that it names.
 * @throws RangeError saying what is wrong with which file
 */
export function worldsOfFiles(title: string, files: readonly WorldFile[], roles: Roles): ImportedWorlds {
  const archive = files.find(({ name }) => extname(name).toLowerCase() === '.zip')
  const main = archive ?? mainOf(files)
  if (!main)
    throw new RangeError(
      'None of the files can be imported. Choose BFCL’s folder "data" as a zip archive, or a promptfoo configuration in YAML.',
    )
  const folder = mkdtempSync(join(tmpdir(), 'assay-world-'))
  try {
    if (archive) return bfclWorlds(openZip(Buffer.from(archive.bytes)))
    const order = ({ name, bytes }: WorldFile, i: number) => {
      const path = join(folder, String(i))
      writeFileSync(path, bytes, { mode: 0o600 })
      return { name, path, role: 'test' }
    }
    const [first, ...beside] = [main, ...files.filter(file => file !== main)].map(order)
    if (!first) throw new RangeError('There is no file.')
    const { definition, left } = promptfooWorld(title, first, beside, roles)
    return { worlds: [{ slug: slugOf(title), definition, references: new Map() }], left }
  } catch (error) {
    if (error instanceof RowError || error instanceof ArchiveError) throw new RangeError(`${main.name}: ${error.message}`)
    if (error instanceof OrderFault)
      throw new RangeError(
        error.problems.map(({ file, line, message }) => `${file}${line === null ? '' : `:${line}`}: ${message}`).join('\n'),
      )
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The configuration among the files that it names. */
function mainOf(files: readonly WorldFile[]): WorldFile | undefined {
  const settings = files.filter(({ name }) => /\.ya?ml$/i.test(name))
  return settings.find(({ name }) => /promptfooconfig/i.test(name)) ?? settings[0]
}
