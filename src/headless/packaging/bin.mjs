#!/usr/bin/env node
/** `assay` as the package installs it. Plain enough for every Node, so that one that is too old is told so. */
if (Number(process.versions.node.split('.')[0]) >= 24) await import('../out/main/installed.js')
else {
  console.error(`Assay needs Node 24 or newer; this is ${process.version}. Install a newer Node, then start it again.`)
  process.exitCode = 1
}
