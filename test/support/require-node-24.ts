/** The native modules need Node 24; under an older Node they crash instead of failing. */
export default function requireNode24(): void {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 24)
    throw new Error(`The tests need Node 24 or newer and this is ${process.version}. Start them with "npm test", which brings its own.`)
}
