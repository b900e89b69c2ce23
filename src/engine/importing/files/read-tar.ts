import { type Archive, ArchiveError, archiveLimits as limits, checkEntryName, tooManyFiles } from '../../archives/archive.ts'
import { type ByteSource, sourceOfBytes } from '../../archives/byte-source.ts'
import { formatBytes } from '../../../lib/format/bytes.ts'

const block = 512
/** Of a long name and of POSIX records, which are a few hundred. */
const mostNameBytes = 64 * 1024
const text = (bytes: Buffer, from: number, length: number): string => {
  const field = bytes.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? length : end)
}

/** Whether it begins like a tar archive of this century: the magic word is in the header of the first file. */
export function isTar(bytes: Buffer): boolean {
  return bytes.length >= block && bytes.toString('latin1', 257, 262) === 'ustar'
}

/**
 * Reads the headers of a tar archive: ustar, with long names of GNU and of POSIX. Links and paths that leave the archive are refused;
 * what macOS keeps beside each file ("._name") is passed over.
 * @throws ArchiveError
 */
export function openTar(bytes: Buffer | ByteSource): Archive {
  const source = Buffer.isBuffer(bytes) ? sourceOfBytes(bytes) : bytes
  const entries = new Map<string, { readonly from: number; readonly size: number }>()
  const seen = new Set<string>()
  let longName: string | null = null
  let at = 0
  for (;;) {
    const header = source.read(at, block)
    // A block of zeros ends an archive; without one there is no telling how many files are missing.
    if (header.length < block) throw new ArchiveError('The archive is cut off.')
    if (header[0] === 0) break
    checkSum(header)
    const size = sizeOf(header)
    const from = at + block
    if (from + size > source.size) throw new ArchiveError('The archive is cut off.')
    const kind = String.fromCharCode(header[156] ?? 0)
    at = from + Math.ceil(size / block) * block
    if (kind === 'L') longName = text(source.read(from, Math.min(size, mostNameBytes)), 0, size)
    else if (kind === 'x') longName = paxPath(source.read(from, Math.min(size, mostNameBytes)).toString('utf8')) ?? longName
    else if (kind === '0' || kind === '\0') {
      const name: string = (longName ?? ownName(header)).replace(/^(?:\.\/)+/, '')
      longName = null
      if (name.split('/').at(-1)?.startsWith('._')) continue
      checkEntryName(name, seen)
      if (size > limits.entryBytes)
        throw new ArchiveError(`"${name}" has ${formatBytes(size)}, and at most ${formatBytes(limits.entryBytes)} are read of one file.`)
      if (entries.size >= limits.entries) throw tooManyFiles()
      entries.set(name, { from, size })
    } else if (kind === '1' || kind === '2') throw new ArchiveError(`"${longName ?? ownName(header)}" is a link.`)
    else longName = null
  }
  return {
    names: [...entries.keys()],
    sizeOf: name => entries.get(name)?.size ?? 0,
    read: name => {
      const entry = entries.get(name)
      if (!entry) throw new ArchiveError(`The archive has no file "${name}".`)
      return source.read(entry.from, entry.size)
    },
  }
}

function ownName(header: Buffer): string {
  const prefix = text(header, 345, 155)
  const name = text(header, 0, 100)
  return prefix === '' || text(header, 257, 6) !== 'ustar' ? name : `${prefix}/${name}`
}

/** Octal digits; larger files than those can say do not fit into an import. */
function sizeOf(header: Buffer): number {
  const digits = text(header, 124, 12).trim()
  if (!/^[0-7]+$/.test(digits)) throw new ArchiveError('The archive is damaged: a size is no number.')
  return Number.parseInt(digits, 8)
}

function checkSum(header: Buffer): void {
  let sum = 0
  for (let i = 0; i < block; i++) sum += i >= 148 && i < 156 ? 32 : (header[i] ?? 0)
  if (Number.parseInt(text(header, 148, 8).trim(), 8) !== sum)
    throw new ArchiveError('The archive is damaged: the checksum of a header is wrong.')
}

/** The path among POSIX records of the form "<length> key=value\n". */
function paxPath(records: string): string | null {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(records)?.[1] ?? null
}
