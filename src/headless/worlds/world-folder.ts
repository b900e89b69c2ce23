import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { isSeq, parse, parseDocument, stringify } from 'yaml'
import { z } from 'zod'
import { describeIssue } from '../../contract/describe-issue.ts'
import { meantIssues } from '../../contract/meant-issues.ts'
import { NewWorld, type WorldTool } from '../../contract/worlds/worlds.schemas.ts'
import { replaceFile } from '../client/replace-file.ts'
import { failureReason } from '../describe-failure.ts'
import { UsageError } from '../exit-codes.ts'
import { isInside } from '../is-inside.ts'

const worldFile = 'world.yaml'
const tasksFile = 'tasks.jsonl'
const toolsFolder = 'tools'
const cassettesFolder = 'cassettes'

/** A function tool whose source is in a file of its own. */
const FunctionFile = z.looseObject({ behavior: z.strictObject({ kind: z.literal('function'), file: z.string().min(1) }) })
/** A tool whose recorded calls are in a file, by its name. */
const Cassette = z.looseObject({
  name: z.string().min(1),
  behavior: z.looseObject({ kind: z.literal('mcp'), results: z.undefined().optional() }),
})
const World = z.looseObject({ tools: z.array(z.looseObject({})).optional() })

/**
 * A world of a folder: `world.yaml`, `tasks.jsonl`, the sources of its function tools as `behavior: {kind: function, file: tools/NAME.js}`, and
 * recorded calls of its MCP tools as `cassettes/NAME.jsonl`.
 * @throws UsageError naming the file, the place and what to do
 */
export function readWorldFolder(folder: string): NewWorld {
  const path = join(folder, worldFile)
  const read = World.safeParse(readYaml(folder, worldFile))
  if (!read.success) throw new UsageError(`${path} must be a mapping with slug, title and tools.`)
  const { tools = [], ...world } = read.data
  const value = {
    ...world,
    tools: tools.map((tool, i) => withSource(folder, tool, `${path}: tools[${i}]`)),
    tasks: readLines(folder, tasksFile),
  }
  const parsed = NewWorld.safeParse(value, { reportInput: true })
  if (parsed.success) return parsed.data
  throw new UsageError(
    meantIssues(parsed.error.issues)
      .map(issue => `${placeOf(folder, issue.path)}: ${describeIssue(issue)}`)
      .join('\n'),
  )
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
  mkdirSync(join(folder, toolsFolder), { recursive: true })
  if (cassettes.length > 0) mkdirSync(join(folder, cassettesFolder), { recursive: true })
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
  mkdirSync(join(folder, cassettesFolder), { recursive: true })
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

const cassettePath = (name: string): string => join(cassettesFolder, `${name}.jsonl`)
const cassetteText = (results: CassetteResults): string => results.map(result => `${JSON.stringify(result)}\n`).join('')

function declaredBehavior({ name, behavior }: WorldTool): object {
  if (behavior.kind === 'function') return { kind: 'function', file: `${toolsFolder}/${name}.js` }
  if (behavior.kind !== 'mcp') return behavior
  const { results: _, ...declared } = behavior
  return declared
}

function withSource(folder: string, tool: object, place: string): object {
  const cassette = Cassette.safeParse(tool)
  if (cassette.success && existsSync(join(folder, cassettePath(basename(cassette.data.name))))) {
    const results = readLines(folder, cassettePath(basename(cassette.data.name)))
    return { ...tool, behavior: { ...cassette.data.behavior, results } }
  }
  const found = FunctionFile.safeParse(tool)
  if (!found.success) return tool
  const { behavior, ...rest } = found.data
  const source = readText(folder, behavior.file, `${place}.behavior.file: `).trim()
  // A file may end with a semicolon, and a source is an expression.
  return { ...rest, behavior: { kind: 'function', source: source.replace(/;$/, '') } }
}

function readLines(folder: string, file: string): unknown[] {
  return readText(folder, file)
    .split('\n')
    .flatMap((line, i) => {
      if (line.trim() === '') return []
      try {
        return [JSON.parse(line) as unknown]
      } catch (error) {
        throw new UsageError(`${join(folder, file)}:${i + 1}: not valid JSON: ${failureReason(error)}`)
      }
    })
}

/** Which file a path of the definition is in. */
function placeOf(folder: string, path: readonly PropertyKey[]): string {
  const [part, index, ...rest] = path.map(String)
  if (part === 'tasks')
    return `${join(folder, tasksFile)}${index === undefined ? '' : ` task ${Number(index) + 1}`} ${rest.join('.')}`.trim()
  return `${join(folder, worldFile)} ${path.map(String).join('.')}`.trim()
}

function readYaml(folder: string, file: string): unknown {
  const text = readText(folder, file)
  try {
    return parse(text, { maxAliasCount: 100 })
  } catch (error) {
    throw new UsageError(`${join(folder, file)}: ${failureReason(error)}`)
  }
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
