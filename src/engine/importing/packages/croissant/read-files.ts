import { hasTerm, named, type Node, refused } from './croissant-terms.ts'

/** A file of the archive that a description names. */
export interface CroissantFile {
  readonly id: string
  readonly path: string
  readonly sha256: string
}

/** @throws PackageFault for what is not a file of the archive */
export function filesOf(distribution: readonly Node[]): CroissantFile[] {
  const files = distribution.map(node => {
    const name = named(node, 'a file')
    if (!hasTerm(node['@type'], 'FileObject')) throw refused(`${name} is no FileObject. Sets of files are not read; name each file.`)
    if (node['containedIn'] !== undefined) throw refused(`${name} is contained in another file ("containedIn"). Unpack it.`)
    const { '@id': id, contentUrl: url, sha256 } = node
    if (typeof id !== 'string' || id === '') throw refused(`${name} has no "@id".`)
    if (typeof url !== 'string' || url === '') throw refused(`${name} has no "contentUrl".`)
    const path = pathOf(url)
    if (path === null)
      throw refused(`the "contentUrl" of ${name} is an address. Put the file into the archive and name its path; nothing is fetched.`)
    if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) throw refused(`${name} has no "sha256" of 64 lower-case digits.`)
    return { id, path, sha256 }
  })
  const ids = files.map(({ id }) => id)
  const twice = ids.length === new Set(ids).size ? undefined : ids.find((id, i) => ids.indexOf(id) !== i)
  if (twice !== undefined) throw refused(`two files have the "@id" "${twice.slice(0, 80)}".`)
  return files
}

/** The path of a file of the archive: a relative URL without `./`, and with its escapes read. Null for an address. */
export function pathOf(url: string): string | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url)) return null
  const path = url.replace(/^\.\//, '')
  try {
    return decodeURIComponent(path)
  } catch {
    // A percent sign that is none of an escape is part of the name.
    return path
  }
}
