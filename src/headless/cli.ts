import { enableCompileCache } from 'node:module'
import { requireNode } from './require-node.ts'

requireNode()
// What was compiled at an earlier start need not be compiled again: a third of the time to be ready.
enableCompileCache()
const { main } = await import('./main.ts')
process.exitCode = await main(process.argv.slice(2))
