import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basename, dirname, join as joinNames, normalize } from 'node:path/posix'
import { oversizeFault } from '../../../contract/worlds/drafts.schemas.ts'
import type { LeftOut } from '../../../contract/worlds/play.schemas.ts'
import type { WorldDefinition } from '../../../contract/worlds/worlds.schemas.ts'
import { type Archive, ArchiveError } from '../../archives/archive.ts'
import { isZip, openZip } from '../../archives/read-zip.ts'
import { isDeeperThan, mostLevels, tooDeep } from '../../grading/worlds/json-values.ts'
import { slugOf } from '../../content/benchmarks/own-benchmark.ts'
import { OrderFault } from '../files/order-fault.ts'
import { RowError } from '../files/row.ts'
import type { WorldOfTraces } from '../traces/world-of-traces.ts'
import { bfclWorlds, isBfclFile, singleTurnCategory } from './bfcl-worlds.ts'
import { holdsConversations, worldOfConversations } from './conversation-world.ts'
import { promptfooWorld } from './promptfoo-worlds.ts'
import type { PlainCall } from './python-calls.ts'
import { worldFile, worldOfFolder } from './read-world-folder.ts'

export interface WorldFile {
  /** Its path, where it came in a folder. */
  readonly name: string
  readonly bytes: Uint8Array
}

interface ImportedWorld extends Partial<Pick<WorldOfTraces, 'notes' | 'replaced'>> {
  readonly slug: string
  readonly definition: WorldDefinition
  /** By task: calls that are played to tell what it expects. Empty where the file says it. */
  readonly references: ReadonlyMap<string, readonly PlainCall[]>
}

export interface ImportedWorlds {
  readonly worlds: readonly ImportedWorld[]
  /** What is not imported, or is done in another way. */
  readonly left: readonly LeftOut[]
}

type Roles = Pick<WorldDefinition, 'user_model' | 'judge'>
type Found = Pick<Archive, 'names' | 'read'>

/** Names of unread files that are listed one by one. */
const mostUnread = 50

/** What is left out and named; of one, so many characters. A small file can ask for hundreds of thousands of tests. */
const [mostNamed, mostOfOne] = [1_000, 500]

function named(left: readonly LeftOut[]): LeftOut[] {
  const more = left.length - mostNamed
  const first = left.slice(0, mostNamed).map(each => ({
    ...each,
    name: each.name.slice(0, mostOfOne),
    reason: each.reason.slice(0, mostOfOne),
  }))
  return more > 0 ? [...first, { id: null, name: `and ${more.toLocaleString('en')} more of this kind`, reason: '' }] : first
}

/**
 * The worlds of files, packed as zip or not: folders with a `world.yaml`, BFCL's folder `data`, a promptfoo configuration with the files that
 * it names, or recorded conversations with tool calls. What decides is tried in this order; what is not read is named.
 * @throws RangeError saying what is wrong with which file
 */
export function worldsOfFiles(title: string, files: readonly WorldFile[], roles: Roles): ImportedWorlds {
  const [packed] = files.filter(({ bytes }) => isZip(bytes))
  try {
    const all = unpacked(files)
    const used = new Set<string>()
    const tracked: Found = {
      names: all.names,
      read: name => {
        used.add(name)
        return all.read(name)
      },
    }
    const found = read(title, tracked, roles)
    const { worlds, left } = withoutOversize(found.worlds)
    return { worlds, left: named([...left, ...found.left, ...unread(all.names.filter(name => !used.has(name)))]) }
  } catch (error) {
    if (error instanceof RowError) throw new RangeError(error.message)
    if (error instanceof ArchiveError) throw new RangeError(`${packed?.name ?? 'The archive'}: ${error.message}`)
    if (error instanceof OrderFault)
      throw new RangeError(
        error.problems.map(({ file, line, message }) => `${file}${line === null ? '' : `:${line}`}: ${message}`).join('\n'),
      )
    throw error
  }
}

/** What is deeper cannot be sent to be created. A small archive or template can become a world that no request could create. */
function withoutOversize(worlds: readonly ImportedWorld[]): ImportedWorlds {
  const left: LeftOut[] = []
  let together = 0
  const kept = worlds.filter(({ definition }) => {
    const isDeep = isDeeperThan(mostLevels, definition)
    const size = isDeep ? 0 : Buffer.byteLength(JSON.stringify(definition))
    const reason = isDeep ? tooDeep : oversizeFault(size, together)
    if (reason === null) together += size
    else left.push({ id: null, name: definition.title, reason })
    return reason === null
  })
  return { worlds: kept, left }
}

function read(title: string, found: Found, roles: Roles): ImportedWorlds {
  const folders = found.names.filter(name => basename(name) === worldFile)
  if (folders.length > 0) return worldsOfFolders(folders, found)
  if (found.names.some(isBfclFile)) {
    const { worlds, left } = bfclWorlds(found)
    return { worlds, left: left.map(leftBy) }
  }
  const configuration = configurationIn(found.names)
  if (configuration !== undefined) return worldOfConfiguration(title, configuration, found, roles)
  const names = found.names.filter(holdsConversations)
  if (names.length === 0 || names.some(singleTurnCategory))
    throw new RowError(
      names.length === 0
        ? 'None of the files can be imported. Choose a folder with a world.yaml, BFCL’s folder "data", a promptfoo configuration in YAML, or conversations as JSON Lines.'
        : `${names.find(singleTurnCategory)} is a category of BFCL with single turns. Import it under “Data for a public benchmark” as BFCL.`,
    )
  const { definition, notes, replaced, leftOut } = worldOfConversations(title, { ...found, names })
  return { worlds: [{ slug: slugOf(title), definition, notes, replaced, references: new Map() }], left: leftOut }
}

function worldsOfFolders(folders: readonly string[], { names, read: readFile }: Found): ImportedWorlds {
  const left: LeftOut[] = []
  const worlds = folders.map(file => {
    const folder = dirname(file)
    const inFolder = (path: string) => normalize(joinNames(folder, path))
    const {
      slug,
      previous_version_id: previous,
      ...definition
    } = worldOfFolder({
      named: inFolder,
      has: path => names.includes(inFolder(path)),
      text: (path, place = '') => {
        if (!names.includes(inFolder(path))) throw new RowError(`${place}${inFolder(path)} was not sent; send it with the others.`)
        return readFile(inFolder(path)).toString('utf8')
      },
    })
    if (previous !== undefined)
      left.push({
        id: null,
        name: `${file} previous_version_id`,
        reason: 'A draft begins a new environment. Edit the old one for its next version.',
      })
    return { slug, definition, references: new Map() }
  })
  return { worlds, left }
}

function worldOfConfiguration(title: string, main: string, { names, read: readFile }: Found, roles: Roles): ImportedWorlds {
  const folder = mkdtempSync(join(tmpdir(), 'assay-world-'))
  try {
    const order = (name: string, i: number) => {
      const path = join(folder, String(i))
      writeFileSync(path, readFile(name), { mode: 0o600 })
      return { name: basename(name), path, role: 'test' }
    }
    const [first, ...beside] = [main, ...names.filter(name => name !== main)].map(order)
    if (!first) throw new RowError('There is no file.')
    const { definition, left } = promptfooWorld(title, first, beside, roles)
    return { worlds: [{ slug: slugOf(title), definition, references: new Map() }], left: left.map(leftBy) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const leftBy = (name: string): LeftOut => ({ id: null, name, reason: '' })

function unread(names: readonly string[]): LeftOut[] {
  const listed = names.slice(0, mostUnread).map(name => ({
    id: null,
    name,
    reason: singleTurnCategory(name)
      ? 'is a category of single turns: import it under “Data for a public benchmark” as BFCL.'
      : 'was not read: no environment needs it.',
  }))
  return names.length > mostUnread ? [...listed, leftBy(`${names.length - mostUnread} more files that were not read`)] : listed
}

/** All files by their paths, those of archives too. */
function unpacked(files: readonly WorldFile[]): Found {
  const reads = new Map<string, () => Buffer>()
  const add = (name: string, readIt: () => Buffer) => {
    if (reads.has(name)) throw new RowError(`Two files have the path "${name}". Send one of them.`)
    reads.set(name, readIt)
  }
  for (const file of files) {
    if (isZip(file.bytes)) {
      const archive = openZip(Buffer.from(file.bytes))
      for (const name of archive.names.filter(each => !/(?:^|\/)(?:\.|__MACOSX\/)/.test(each))) add(name, () => archive.read(name))
    } else if (/\.zip$/i.test(file.name)) throw new RowError(`${file.name} is no zip archive.`)
    else add(normalize(file.name.replaceAll('\\', '/')), () => Buffer.from(file.bytes))
  }
  return {
    names: [...reads.keys()],
    read: name => {
      const readIt = reads.get(name)
      if (!readIt) throw new RowError(`There is no file "${name}".`)
      return readIt()
    },
  }
}

/** The configuration among the files that it names. */
function configurationIn(names: readonly string[]): string | undefined {
  const settings = names.filter(name => /\.ya?ml$/i.test(name))
  return settings.find(name => /promptfooconfig/i.test(name)) ?? settings[0]
}
