/** Refuses to run the tests under a Node that the native modules crash on. */
export default function requireNode(): void {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 24)
    throw new Error(
      `The tests need Node 24 or newer; this is ${process.version}. Run "npm test", which uses the Node that npm ci installed.`,
    )
}
