import { isArchiveName, unpackedName } from '../../../../lib/file-name.ts'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ArchiveError } from '../../../archives/archive.ts'
import { FileError } from '../decode-bytes.ts'
import type { OrderedFile } from '../import-order.ts'
import { orderFault } from '../order-fault.ts'
import { openArchiveFile, unpackFolder } from '../unpack-folder.ts'

const dataFile = /\.(?:jsonl|ndjson|json|csv|tsv|parquet)$/i
const yamlFile = /\.ya?ml$/i

export function isDataFile(path: string): boolean {
  return dataFile.test(unpackedName(path))
}

/** Files of tasks, with archives replaced by the settings and the data in them, and without what else is in a folder. @throws OrderFault */
export async function unpackTaskFolder(
  files: readonly OrderedFile[],
): Promise<{ readonly files: readonly OrderedFile[]; readonly warnings: readonly string[] }> {
  const found: OrderedFile[] = []
  const warnings: string[] = []
  const passOver = (names: readonly string[], where: string): void => {
    if (names.length > 0)
      warnings.push(
        `${names.length} other ${names.length === 1 ? 'file' : 'files'}${where} ${names.length === 1 ? 'was' : 'were'} not read: ${names.slice(0, 5).join(', ')}.`,
      )
  }
  for (const file of files.filter(({ name }) => isArchiveName(name))) {
    const { taken, passedOver } = await unpacked(file)
    found.push(...taken)
    passOver(passedOver, ` of "${file.name}"`)
  }
  const plain = files.filter(({ name }) => !isArchiveName(name))
  const texts = plain.filter(({ name }) => yamlFile.test(name)).map(({ path }) => readFileSync(path, 'utf8'))
  // What came by itself may be settings under any name, but for the programs and pages that lie beside tasks.
  const isTaken = (file: OrderedFile): boolean =>
    isOfTasks(file.name, texts) || (!isOfFolder(file) && (texts.length === 0 || !/\.(?:py|pyc|md|txt|rst|sh|ipynb)$/i.test(file.name)))
  found.push(...plain.filter(isTaken))
  passOver(
    plain.filter(file => !isTaken(file)).map(({ name }) => name),
    '',
  )
  const repeated = found.find(({ name }, i) => found.findIndex(other => other.name === name) !== i)
  if (repeated) throw orderFault(repeated.name, null, `Two files are called "${repeated.name}".`)
  return { files: found, warnings }
}

/** Settings, data, or a template: those often have no extension and are what a task includes. */
function isOfTasks(path: string, settings: readonly string[]): boolean {
  const base = path.split('/').at(-1) ?? ''
  return yamlFile.test(path) || isDataFile(path) || (!base.includes('.') && settings.some(text => text.includes(base)))
}

async function unpacked({ name, path }: OrderedFile): Promise<{ readonly taken: OrderedFile[]; readonly passedOver: readonly string[] }> {
  try {
    const archive = await openArchiveFile(path)
    const settings = unpackFolder(archive, entry => yamlFile.test(entry))
    const texts = settings.files.map(({ bytes }) => bytes.toString('utf8'))
    const others = unpackFolder(archive, entry => !yamlFile.test(entry) && isOfTasks(entry, texts))
    if (settings.files.length === 0) throw new ArchiveError(`The archive "${name}" has no YAML file of a task.`)
    const taken = [...settings.files, ...others.files].map(({ path: entry, bytes }): OrderedFile => {
      const content = { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
      return { name: entry, path, role: entry.slice(-200), content }
    })
    return { taken, passedOver: others.passedOver.filter(entry => !yamlFile.test(entry)) }
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof FileError) throw orderFault(name, null, error.message)
    throw error
  }
}

/** Whether a file is one of a folder that was sent whole, which may hold more than is imported. */
export function isOfFolder({ name, content }: OrderedFile): boolean {
  return content !== undefined || name.includes('/')
}
