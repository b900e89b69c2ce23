import { statfsSync } from 'node:fs'

/** What Linux calls file systems that lie on another machine (`statfs`): their locks and shared memory are not those of this one. */
const remote: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
])

/** Folders that a program copies elsewhere while they are in use. */
const synced =
  /(?:^|[\\/])(?:Dropbox|OneDrive[^\\/]*|Google ?Drive|iCloud ?Drive|Mobile Documents|Nextcloud|pCloud ?Drive|Box Sync)(?:[\\/]|$)/i

/** Why a database is not safe in a folder; null where nothing is known against it. */
export function folderWarning(path: string, fileSystem: number | null = typeOf(path)): string | null {
  const name = fileSystem === null ? undefined : remote.get(fileSystem)
  const advice = 'Keep the data folder on a disk of this machine, and copy backups elsewhere instead.'
  if (name !== undefined) return `The data folder lies on a network disk (${name}), on which a database can be damaged. ${advice}`
  // A share of Windows.
  if (/^\\\\[^?.]/.test(path)) return `The data folder lies on a network disk, on which a database can be damaged. ${advice}`
  const match = synced.exec(path)
  if (match) return `The data folder is inside a synchronized folder, which can damage the database. ${advice}`
  return null
}

function typeOf(path: string): number | null {
  if (process.platform !== 'linux') return null
  try {
    // A number of 32 bits, which some systems give with its sign.
    return statfsSync(path).type >>> 0
  } catch {
    return null
  }
}
