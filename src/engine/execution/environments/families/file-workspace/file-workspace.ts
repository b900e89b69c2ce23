import { z } from 'zod'
import type { Task } from '../../../../tasks/task.ts'
import type { Action, EnvironmentFamily, Simulation } from '../../environment.ts'
import { familyDefinition } from '../family.ts'
import { generate } from './generate.ts'

const seed = 20261101
const version = `1.0.0-seed${seed}`
const maxTurns = 12
/** Characters of one file and files at a time; the world lives in memory. */
const limits = { characters: 20_000, files: 100 }
const Setup = z.object({ setup: z.object({ files: z.record(z.string(), z.string()) }) })
const Paths = z
  .string()
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/)
  .max(200)

const rules = [
  'You work in a folder of text files, with tools. Paths are relative, such as notes/today.txt; folders come and go with their files.',
  'Do what is asked and leave everything else as it is. When it is done, answer with the word done.',
].join('\n')

const path = { name: 'path', type: 'string', description: 'Path of the file' } as const

export const fileWorkspace: EnvironmentFamily = {
  id: '01934f00-0000-7000-8000-000000000003',
  version,
  maxTurns,
  observationBytes: 8_000,
  definition: familyDefinition({
    slug: 'file-workspace',
    title: 'File workspace',
    summary: 'Small jobs in a folder of text files: add up, change a setting, rename, move, merge.',
    description:
      'Whether a model looks before it acts, carries a small job through several files and leaves the rest alone. The goal is reached when every file of ' +
      'the folder holds what it should, and no file is missing or left over; blank space at the end of a file does not count.',
    howMade:
      'Five kinds of job with names, numbers and words drawn from a seed. What the folder should hold at the end is made by the same rule that made the ' +
      'job, and the reference lists, reads and writes just that. The seed is part of the version.',
    knownLimits: [
      'Files of a few lines; nothing has to be searched for in a large tree.',
      'The folder is simulated in memory: there are no permissions, links or programs to run.',
      'Five kinds of job, worded in one way each.',
    ],
    capabilities: ['working with files', 'tool use'],
    rules,
    maxTurns,
    breakdowns: ['kind'],
  }),
  tools: [
    { name: 'list_files', description: 'Lists every file of the folder.', parameters: [] },
    { name: 'read_file', description: 'Shows what a file holds.', parameters: [path] },
    {
      name: 'write_file',
      description: 'Writes a file, new or over the old one.',
      parameters: [path, { name: 'content', type: 'string', description: 'All that the file should hold' }],
    },
    {
      name: 'move_file',
      description: 'Moves or renames a file.',
      parameters: [path, { name: 'to', type: 'string', description: 'New path, where no file may be yet' }],
    },
    { name: 'delete_file', description: 'Deletes a file.', parameters: [path] },
  ],
  content: () => generate(version, seed),
  start: task => new FileWorld(task),
  candidates: task => {
    const files = Setup.parse(task.metadata).setup.files
    return { path: Object.keys(files), to: Object.keys(files).map(name => `archive/${name}`), content: ['', ...Object.values(files)] }
  },
}

class FileWorld implements Simulation {
  readonly #files: Map<string, string>
  readonly over = false

  constructor({ metadata }: Task) {
    this.#files = new Map(Object.entries(Setup.parse(metadata).setup.files))
  }

  act({ tool, arguments: given }: Action): string {
    if (tool === 'list_files') return [...this.#files.keys()].sort().join('\n') || 'The folder is empty.'
    const name = String(given['path'])
    if (tool === 'write_file') return this.#write(name, String(given['content']))
    const content = this.#files.get(name)
    if (content === undefined) return `There is no file ${JSON.stringify(name.slice(0, 200))}.`
    if (tool === 'read_file') return content
    if (tool === 'move_file') return this.#move(name, String(given['to']), content)
    this.#files.delete(name)
    return `Deleted ${name}.`
  }

  /** Blank space at the end of a file is not what the task is about. */
  state() {
    const entries = [...this.#files].sort(([a], [b]) => (a < b ? -1 : 1))
    return { files: Object.fromEntries(entries.map(([name, content]) => [name, `${content.trimEnd()}\n`])) }
  }

  #write(name: string, content: string): string {
    if (!Paths.safeParse(name).success) return `${JSON.stringify(name.slice(0, 200))} is not a path of this folder.`
    if (content.length > limits.characters) return `A file holds at most ${limits.characters} characters.`
    if (!this.#files.has(name) && this.#files.size >= limits.files) return `The folder holds at most ${limits.files} files.`
    this.#files.set(name, content)
    return `Wrote ${name}.`
  }

  #move(name: string, to: string, content: string): string {
    if (this.#files.has(to)) return `There is a file ${to} already.`
    const written = this.#write(to, content)
    if (!this.#files.has(to)) return written
    this.#files.delete(name)
    return `Moved ${name} to ${to}.`
  }
}
