/** The native modules need Node 24; under an older Node they crash without a word. */
export function requireNode24(): void {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= 24) return
  console.error(
    `Assay needs Node 24 or newer and this is ${process.version}. Start it with "npm start" or another npm script: they bring their own.`,
  )
  process.exit(1)
}
