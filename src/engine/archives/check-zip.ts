import { textSegments } from '../../lib/format/visible-text.ts'
import { ArchiveError, archiveLimits, tooManyFiles } from './archive.ts'

const endMark = 0x06054b50
const entryMark = 0x02014b50
const localMark = 0x04034b50
const descriptorMark = 0x08074b50

/** Names that Windows takes for devices, whatever follows the first dot. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i
const nestedName = /\.(?:zip|jar|7z|rar|tar|tgz|gz|bz2|xz|zst)$/i

/**
 * Refuses a zip archive that different programs could read differently, beyond what `openZip` refuses: bytes before the first entry or
 * after the end, a comment, entries that overlap or leave gaps, a local header that differs from the directory, zip64, special files,
 * names with control or bidirectional characters or of Windows devices, names of which one is a folder of another, and nested archives.
 * @throws ArchiveError
 */
export function checkZipStrictly(bytes: Buffer): void {
  if (bytes.length < 22 || bytes.readUInt32LE(bytes.length - 22) !== endMark)
    throw new ArchiveError('Upload a zip archive: the file is not a zip archive, or data follows its end.')
  const end = bytes.length - 22
  const count = bytes.readUInt16LE(end + 10)
  const size = bytes.readUInt32LE(end + 12)
  const from = bytes.readUInt32LE(end + 16)
  if (bytes.readUInt32LE(end + 4) !== 0 || bytes.readUInt16LE(end + 8) !== count || bytes.readUInt16LE(end + 20) !== 0)
    throw new ArchiveError('The end of the archive is damaged or has a comment.')
  if (count === 0xffff || from === 0xffffffff) throw new ArchiveError('The archive is in the zip64 form, which is not read.')
  if (count > archiveLimits.entries) throw tooManyFiles()
  if (from + size !== end) throw new ArchiveError('The archive has bytes between its directory and its end.')
  const entries: Entry[] = []
  let at = from
  for (let i = 0; i < count; i++) {
    const entry = readEntry(bytes, at, end)
    entries.push(entry)
    at = entry.next
  }
  if (at !== end) throw new ArchiveError('The directory of the archive is damaged.')
  checkNames(entries.map(({ name }) => name))
  checkLayout(bytes, entries, from)
}

interface Entry {
  readonly name: string
  readonly rawName: Buffer
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly offset: number
  readonly next: number
}

function readEntry(bytes: Buffer, at: number, end: number): Entry {
  if (at + 46 > end || bytes.readUInt32LE(at) !== entryMark) throw new ArchiveError('The directory of the archive is damaged.')
  const nameLength = bytes.readUInt16LE(at + 28)
  const rawName = bytes.subarray(at + 46, at + 46 + nameLength)
  const name = rawName.toString('utf8')
  if (!Buffer.from(name).equals(rawName)) throw new ArchiveError(`A file’s name is not UTF-8: ${JSON.stringify(name.slice(0, 80))}.`)
  const kind = (bytes.readUInt32LE(at + 38) >>> 16) & 0o170000
  const isFolder = name.endsWith('/')
  if (kind !== 0 && kind !== (isFolder ? 0o040000 : 0o100000)) throw new ArchiveError(`"${name}" is a link or a special file.`)
  const size = bytes.readUInt32LE(at + 24)
  if (isFolder && size !== 0) throw new ArchiveError(`The folder "${name}" has content.`)
  return {
    name,
    rawName,
    flags: bytes.readUInt16LE(at + 8),
    method: bytes.readUInt16LE(at + 10),
    crc: bytes.readUInt32LE(at + 16),
    packed: bytes.readUInt32LE(at + 20),
    size,
    offset: bytes.readUInt32LE(at + 42),
    next: at + 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32),
  }
}

/** Refuses names that file systems could not keep or would take for another. @throws ArchiveError */
export function checkNames(names: readonly string[]): void {
  const files = new Set(names.filter(name => !name.endsWith('/')).map(folded))
  for (const name of names) {
    const shown = JSON.stringify(name.slice(0, 80))
    // Before anything that looks at each of its folders.
    if (name.length > archiveLimits.nameLength)
      throw new ArchiveError(`The name ${shown} has more than ${archiveLimits.nameLength} characters.`)
    if (textSegments(name).some(({ kind }) => kind === 'hidden'))
      throw new ArchiveError(`The name ${shown} has control or invisible characters.`)
    const parts = name.replace(/\/$/, '').split('/')
    if (
      parts.some(part => part === '' || part === '.' || part === '..' || device.test(part) || /[. ]$/.test(part) || /[<>:"|?*]/.test(part))
    )
      throw new ArchiveError(`The archive has a file with a name that is refused: ${shown}.`)
    if (nestedName.test(name)) throw new ArchiveError(`${shown} is an archive inside the archive. Unpack it first.`)
    for (let i = 1; i < parts.length; i++)
      if (files.has(folded(parts.slice(0, i).join('/')))) throw new ArchiveError(`${shown} is in a folder that is also a file.`)
  }
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(folded(name))) throw new ArchiveError(`The archive has "${name}" twice.`)
    seen.add(folded(name))
  }
}

/** As file systems that fold case and compose letters see it. */
function folded(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase()
}

/** Entries lie one after the other from the first byte to the directory, and say of themselves what the directory says. */
function checkLayout(bytes: Buffer, entries: readonly Entry[], directory: number): void {
  let at = 0
  for (const entry of [...entries].sort((a, b) => a.offset - b.offset)) {
    const shown = `"${entry.name}"`
    if (entry.offset < at) throw new ArchiveError(`${shown} overlaps another file of the archive.`)
    if (entry.offset > at) throw new ArchiveError(`The archive has bytes before ${shown} that belong to no file.`)
    if (at + 30 > directory || bytes.readUInt32LE(at) !== localMark) throw new ArchiveError(`${shown} is damaged.`)
    const nameLength = bytes.readUInt16LE(at + 26)
    const [flags, method] = [bytes.readUInt16LE(at + 6), bytes.readUInt16LE(at + 8)]
    const later = (flags & 8) !== 0
    const facts = [bytes.readUInt32LE(at + 14), bytes.readUInt32LE(at + 18), bytes.readUInt32LE(at + 22)]
    const told = later && facts.every(fact => fact === 0) ? [0, 0, 0] : [entry.crc, entry.packed, entry.size]
    const same =
      bytes.subarray(at + 30, at + 30 + nameLength).equals(entry.rawName) &&
      flags === entry.flags &&
      method === entry.method &&
      facts.every((fact, i) => fact === told[i])
    if (!same) throw new ArchiveError(`${shown} differs between its own header and the directory.`)
    at += 30 + nameLength + bytes.readUInt16LE(at + 28) + entry.packed
    if (later) at += at + 4 <= directory && bytes.readUInt32LE(at) === descriptorMark ? 16 : 12
  }
  if (at !== directory) throw new ArchiveError('The archive has bytes between its files and its directory, or files that overlap it.')
}
