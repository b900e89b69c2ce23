/** The name of a file without what tells how it is packed (`.gz`, `.zst`, `.bz2`, `.xz`). */
export function unpackedName(name: string): string {
  return name.replace(/\.(?:gz|zst|bz2|xz)$/i, '')
}

export function isArchiveName(name: string): boolean {
  return /\.(?:zip|tar|tgz|tzst|tbz2?|txz)$/i.test(unpackedName(name))
}
