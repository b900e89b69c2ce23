import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { describeIssue, meantIssues, NewWorld } from '../../contract/index.ts'
import { failureReason } from '../describe-failure.ts'
import { UsageError } from '../exit-codes.ts'

const worldFile = 'world.yaml'
const tasksFile = 'tasks.jsonl'
const toolsFolder = 'tools'

/** A function tool whose source is in a file of its own. */
const FunctionFile = z.looseObject({ behavior: z.strictObject({ kind: z.literal('function'), file: z.string().min(1) }) })
const World = z.looseObject({ tools: z.array(z.looseObject({})).optional() })

/**
 * A world of a folder: `world.yaml`, `tasks.jsonl`, and the sources of its function tools as `behavior: {kind: function, file: tools/NAME.js}`.
 * @throws UsageError naming the file, the place and what to do
 */
export function readWorldFolder(folder: string): NewWorld {
  const path = join(folder, worldFile)
  const read = World.safeParse(readYaml(path))
  if (!read.success) throw new UsageError(`${path} must be a mapping with slug, title and tools.`)
  const { tools = [], ...world } = read.data
  const value = { ...world, tools: tools.map((tool, i) => withSource(folder, tool, `${path}: tools[${i}]`)), tasks: readTasks(folder) }
  const parsed = NewWorld.safeParse(value, { reportInput: true })
  if (parsed.success) return parsed.data
  throw new UsageError(meantIssues(parsed.error.issues).map(issue => `${placeOf(folder, issue.path)}: ${describeIssue(issue)}`).join('\n'))
}

/** Writes a world to start from, or one that was drafted. @returns its files. @throws UsageError where one exists, which is left as it is */
export function writeWorldFolder(folder: string, { tasks, tools, ...world }: NewWorld): string[] {
  const sources = tools.flatMap(({ name, behavior }) =>
    behavior.kind === 'function' ? [{ path: join(toolsFolder, `${name}.js`), text: `${behavior.source.trim()}\n` }] : [],
  )
  const declared = tools.map(tool =>
    tool.behavior.kind === 'function' ? { ...tool, behavior: { kind: 'function', file: `${toolsFolder}/${tool.name}.js` } } : tool,
  )
  const files = [
    { path: worldFile, text: stringify({ ...world, tools: declared }) },
    { path: tasksFile, text: tasks.map(task => `${JSON.stringify(task)}\n`).join('') },
    ...sources,
  ]
  mkdirSync(join(folder, toolsFolder), { recursive: true })
  for (const { path, text } of files) {
    try {
      writeFileSync(join(folder, path), text, { flag: 'wx' })
    } catch (error) {
      throw new UsageError(`${join(folder, path)} was not written: ${failureReason(error)}. Name another folder.`)
    }
  }
  return files.map(({ path }) => join(folder, path))
}

function withSource(folder: string, tool: object, place: string): object {
  const found = FunctionFile.safeParse(tool)
  if (!found.success) return tool
  const { behavior, ...rest } = found.data
  const path = resolve(folder, behavior.file)
  // A world that came from somewhere else reads nothing beside itself.
  if (relative(resolve(folder), path).startsWith('..'))
    throw new UsageError(`${place}.behavior.file: ${behavior.file} is outside ${folder}.`)
  // A file may end with a semicolon, and a source is an expression.
  return { ...rest, behavior: { kind: 'function', source: readText(path).trim().replace(/;$/, '') } }
}

function readTasks(folder: string): unknown[] {
  const path = join(folder, tasksFile)
  return readText(path)
    .split('\n')
    .flatMap((line, i) => {
      if (line.trim() === '') return []
      try {
        return [JSON.parse(line) as unknown]
      } catch (error) {
        throw new UsageError(`${path}:${i + 1}: not valid JSON: ${failureReason(error)}`)
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

function readYaml(path: string): unknown {
  const text = readText(path)
  try {
    return parse(text, { maxAliasCount: 100 })
  } catch (error) {
    throw new UsageError(`${path}: ${failureReason(error)}`)
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The file cannot be read: ${path}: ${failureReason(error)}`)
  }
}
