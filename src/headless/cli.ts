import { enableCompileCache } from 'node:module'
import { requireNode24 } from './require-node-24.ts'

requireNode24()
// What was compiled at an earlier start need not be compiled again: a third of the time to be ready.
enableCompileCache()
const { main } = await import('./main.ts')
process.exitCode = await main(process.argv.slice(2))
