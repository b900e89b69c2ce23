import { readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import type { OrderedFile } from '../import-order.ts'
import { readYaml } from '../read-yaml.ts'
import { RowError } from '../row.ts'

const mostBytes = 1024 * 1024
/** Characters that no text has, since Unicode gives them to nothing. */
const [markBegin, markEnd] = ['\u{fdd0}', '\u{fdd1}'] as const

/** Files that were sent beside a configuration of promptfoo. */
export class SentFiles {
  private readonly files: readonly OrderedFile[]
  private readonly used = new Set<OrderedFile>()
  /** Of the configuration, from which its paths start. */
  private readonly folder: string

  /** @param main name of the configuration, with its folders where it was sent with them */
  constructor(files: readonly OrderedFile[], main = '') {
    this.files = files
    this.folder = posix.dirname(main)
  }

  /** @throws RowError where nothing that was sent matches */
  matching(path: string): OrderedFile[] {
    const plain = path.replace(/^file:\/\//, '').replaceAll('\\', '/')
    const named = this.files.filter(({ name }) => name === plain)
    const wanted = posix.join(this.folder, plain)
    const found = named.length > 0 ? named : this.files.filter(({ name }) => isAt(posix.normalize(name), wanted))
    if (found.length === 0) throw new RowError(`It names "${path.slice(0, 200)}", which was not sent; send it beside the configuration.`)
    for (const file of found) this.used.add(file)
    return found
  }

  /** The text of the file that a path names. @throws RowError */
  text(path: string): string {
    const [file] = this.matching(path)
    if (!file || statSync(file.path).size > mostBytes)
      throw new RowError(`The file "${path.slice(0, 200)}" has more than ${mostBytes} bytes.`)
    return readFileSync(file.path, 'utf8')
  }

  /** The value in the file of settings that a path names. @throws RowError, OrderFault */
  settings(path: string): unknown {
    const [file] = this.matching(path)
    return file ? readYaml(file).value : undefined
  }

  /** Stands for a picture or document in a prompt until its message is read. */
  mark(path: string): string {
    const [file] = this.matching(path)
    return file ? `${markBegin}${this.files.indexOf(file)}${markEnd}` : ''
  }

  /** The file that the first mark in a text stands for, as a data URI; null where there is none. */
  marked(text: string): string | null {
    const begin = text.indexOf(markBegin)
    if (begin === -1) return null
    const file = this.files[Number(text.slice(begin + markBegin.length, text.indexOf(markEnd, begin)))]
    return file ? `data:;base64,${readFileSync(file.path).toString('base64')}` : null
  }

  /** Files that nothing names. */
  unused(): OrderedFile[] {
    return this.files.filter(file => !this.used.has(file))
  }
}

/** Whether a file is at a path, or of its pattern; of one that was sent without folders, its name is all that is known. */
function isAt(name: string, wanted: string): boolean {
  const known = name.includes('/') ? wanted : posix.basename(wanted)
  return name === known || posix.matchesGlob(name, known) || (name.includes('/') && posix.isAbsolute(wanted) && wanted.endsWith(`/${name}`))
}

export const noFiles = new SentFiles([])

export function isFilePath(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('file://')
}

export const isSettings = (path: string): boolean => /\.(?:ya?ml|json)$/i.test(path)
