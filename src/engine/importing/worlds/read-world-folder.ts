import { basename } from 'node:path/posix'
import { parse } from 'yaml'
import { z } from 'zod'
import { describeIssue } from '../../../contract/describe-issue.ts'
import { meantIssues } from '../../../contract/meant-issues.ts'
import { NewWorld, worldLimits } from '../../../contract/worlds/worlds.schemas.ts'
import { mendJson } from '../../../lib/mend-json.ts'
import { mendYaml } from '../files/mend-yaml.ts'
import { isDeeperThan, mostLevels, tooDeep } from '../../grading/worlds/json-values.ts'
import { RowError } from '../files/row.ts'

export const worldFile = 'world.yaml'
export const tasksFile = 'tasks.jsonl'
export const toolsFolder = 'tools'

/** The files of a world, wherever they are kept. */
export interface WorldFolder {
  /** How a file is named in errors. */
  named(path: string): string
  has(path: string): boolean
  /**
   * @param place begins what is wrong with the path
   * @throws where it has no such file
   */
  text(path: string, place?: string): string
}

/** A function tool whose source is in a file of its own. */
const FunctionFile = z.looseObject({ behavior: z.strictObject({ kind: z.literal('function'), file: z.string().min(1) }) })
/** A tool whose recorded calls are in a file, by its name. */
const Cassette = z.looseObject({
  name: z.string().min(1),
  behavior: z.looseObject({ kind: z.literal('mcp'), results: z.undefined().optional() }),
})
const World = z.looseObject({ tools: z.array(z.looseObject({})).optional() })

export const cassettePath = (tool: string): string => `cassettes/${basename(tool)}.jsonl`

/**
 * A world of a folder: `world.yaml`, `tasks.jsonl`, the sources of its function tools as `behavior: {kind: function, file: tools/NAME.js}`, and
 * recorded calls of its MCP tools as `cassettes/NAME.jsonl`.
 * @throws RowError naming the file, the place and what to do
 */
export function worldOfFolder(folder: WorldFolder): NewWorld {
  const path = folder.named(worldFile)
  const read = World.safeParse(readYaml(folder))
  if (!read.success) throw new RowError(`${path} must be a mapping with slug, title and tools.`)
  const { tools = [], ...world } = read.data
  // Before their files are read.
  if (tools.length > worldLimits.tools)
    throw new RowError(`${path} has ${tools.length} tools, and an environment at most ${worldLimits.tools}.`)
  const value = {
    ...world,
    tools: tools.map((tool, i) => withSource(folder, tool, `${path}: tools[${i}]`)),
    tasks: readLines(folder, tasksFile),
  }
  const parsed = NewWorld.safeParse(value, { reportInput: true })
  if (parsed.success) return parsed.data
  throw new RowError(
    meantIssues(parsed.error.issues)
      .map(issue => `${placeOf(folder, issue.path)}: ${describeIssue(issue)}`)
      .join('\n'),
  )
}

function withSource(folder: WorldFolder, tool: object, place: string): object {
  const cassette = Cassette.safeParse(tool)
  if (cassette.success && folder.has(cassettePath(cassette.data.name)))
    return { ...tool, behavior: { ...cassette.data.behavior, results: readLines(folder, cassettePath(cassette.data.name)) } }
  const found = FunctionFile.safeParse(tool)
  if (!found.success) return tool
  const { behavior, ...rest } = found.data
  const source = folder.text(behavior.file, `${place}.behavior.file: `).trim()
  // A file may end with a semicolon, and a source is an expression.
  return { ...rest, behavior: { kind: 'function', source: source.replace(/;$/, '') } }
}

function readLines(folder: WorldFolder, file: string): unknown[] {
  return folder
    .text(file)
    .split('\n')
    .flatMap((line, i) => {
      if (line.trim() === '') return []
      const place = `${folder.named(file)}:${i + 1}`
      try {
        return [shallow(place, JSON.parse(line) as unknown)]
      } catch (error) {
        if (error instanceof RowError) throw error
        throw new RowError(`${place}: ${mendJson(line)}`)
      }
    })
}

/** Requests are bounded alike, and what is deeper exhausts the stack of whatever walks through it. @throws RowError */
function shallow(place: string, value: unknown): unknown {
  if (isDeeperThan(mostLevels, value)) throw new RowError(`${place} ${tooDeep}`)
  return value
}

/** Which file a path of the definition is in. */
function placeOf(folder: WorldFolder, path: readonly PropertyKey[]): string {
  const [part, index, ...rest] = path.map(String)
  if (part === 'tasks')
    return `${folder.named(tasksFile)}${index === undefined ? '' : ` task ${Number(index) + 1}`} ${rest.join('.')}`.trim()
  return `${folder.named(worldFile)} ${path.map(String).join('.')}`.trim()
}

function readYaml(folder: WorldFolder): unknown {
  const text = folder.text(worldFile)
  try {
    return shallow(folder.named(worldFile), parse(text, { maxAliasCount: 100 }))
  } catch (error) {
    if (error instanceof RowError) throw error
    throw new RowError(`${folder.named(worldFile)}: ${mendYaml(error, 'line and column')}`)
  }
}
