import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { isSeq, parseDocument, stringify } from 'yaml'
import type { NewWorld, WorldTool } from '../../contract/worlds/worlds.schemas.ts'
import { RowError } from '../../engine/importing/files/row.ts'
import { cassettePath, tasksFile, toolsFolder, worldFile, worldOfFolder } from '../../engine/importing/worlds/read-world-folder.ts'
import { replaceFile } from '../client/replace-file.ts'
import { failureReason } from '../describe-failure.ts'
import { UsageError } from '../exit-codes.ts'
import { makeFolder } from '../make-folder.ts'
import { isInside } from '../is-inside.ts'

const cassettesFolder = dirname(cassettePath('any'))

/** A world of a folder on disk. @throws UsageError naming the file, the place and what to do */
export function readWorldFolder(folder: string): NewWorld {
  try {
    return worldOfFolder({
      named: path => join(folder, path),
      has: path => existsSync(join(folder, path)),
      text: (path, place) => readText(folder, path, place),
    })
  } catch (error) {
    if (error instanceof RowError) throw new UsageError(error.message)
    throw error
  }
}

/** Writes a world to start from, or one that was drafted. @returns its files. @throws UsageError where one exists, which is left as it is */
export function writeWorldFolder(folder: string, { tasks, tools, ...world }: NewWorld): string[] {
  const sources = tools.flatMap(({ name, behavior }) =>
    behavior.kind === 'function' ? [{ path: join(toolsFolder, `${name}.js`), text: `${behavior.source.trim()}\n` }] : [],
  )
  const cassettes = tools.flatMap(({ name, behavior }) =>
    behavior.kind === 'mcp' && behavior.results.length > 0 ? [{ path: cassettePath(name), text: cassetteText(behavior.results) }] : [],
  )
  const declared = tools.map(tool => ({ ...tool, behavior: declaredBehavior(tool) }))
  const files = [
    { path: worldFile, text: stringify({ ...world, tools: declared }) },
    { path: tasksFile, text: tasks.map(task => `${JSON.stringify(task)}\n`).join('') },
    ...sources,
    ...cassettes,
  ]
  makeFolder(join(folder, toolsFolder))
  if (cassettes.length > 0) makeFolder(join(folder, cassettesFolder))
  for (const { path, text } of files) {
    try {
      writeFileSync(join(folder, path), text, { flag: 'wx' })
    } catch (error) {
      throw new UsageError(`${join(folder, path)} was not written: ${failureReason(error)}. Name another folder.`)
    }
  }
  return files.map(({ path }) => join(folder, path))
}

/** Writes what a tool of a server answered, in place of what was recorded before. @returns its file */
export async function writeCassette(folder: string, name: string, results: CassetteResults): Promise<string> {
  const path = join(folder, cassettePath(name))
  makeFolder(join(folder, cassettesFolder))
  if (!isInside(folder, cassettesFolder)) throw new UsageError(`${cassettesFolder} is outside ${folder}.`)
  await replaceFile(Readable.from([cassetteText(results)]), path)
  return path
}

/** Adds tools to a world, whose file keeps its comments. @returns its file */
export async function addTools(folder: string, tools: readonly WorldTool[]): Promise<string> {
  const path = join(folder, worldFile)
  const document = parseDocument(readText(folder, worldFile))
  const declared = tools.map(tool => ({ ...tool, behavior: declaredBehavior(tool) }))
  const present = document.get('tools')
  if (isSeq(present) && present.items.length > 0) {
    for (const tool of declared) document.addIn(['tools'], document.createNode(tool))
  } else document.set('tools', document.createNode(declared))
  await replaceFile(Readable.from([document.toString()]), path)
  return path
}

type CassetteResults = Extract<WorldTool['behavior'], { kind: 'mcp' }>['results']

const cassetteText = (results: CassetteResults): string => results.map(result => `${JSON.stringify(result)}\n`).join('')

function declaredBehavior({ name, behavior }: WorldTool): object {
  if (behavior.kind === 'function') return { kind: 'function', file: `${toolsFolder}/${name}.js` }
  if (behavior.kind !== 'mcp') return behavior
  const { results: _, ...declared } = behavior
  return declared
}

/** @param place begins what is wrong */
function readText(folder: string, file: string, place = ''): string {
  try {
    if (isInside(folder, file)) return readFileSync(join(folder, file), 'utf8')
  } catch (error) {
    throw new UsageError(`The file cannot be read: ${join(folder, file)}: ${failureReason(error)}`)
  }
  throw new UsageError(`${place}${file} is outside ${folder}.`)
}
