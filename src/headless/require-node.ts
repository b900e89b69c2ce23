/** Oldest Node that the native modules run on; older ones crash without a message. Electron brings this line, npm scripts a newer one. */
const minimumMajor = 24

/** Ends the process with a message when its Node is too old. Every entry point calls it before it imports anything else. */
export function requireNode(): void {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= minimumMajor) return
  console.error(
    `Assay needs Node ${minimumMajor} or newer; this is ${process.version}. Run it with "npm start" or another npm script: they use the Node that npm ci installed.`,
  )
  process.exit(1)
}
