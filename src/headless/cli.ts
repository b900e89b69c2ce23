import { enableCompileCache } from 'node:module'
import { requireNode } from './require-node.ts'

requireNode()
// What was compiled at an earlier start need not be compiled again: a third of the time to be ready.
enableCompileCache()
const [{ main }, { watchOutput }] = await Promise.all([import('./main.ts'), import('./watch-output.ts')])
const judge = watchOutput()
process.exitCode = judge(await main(process.argv.slice(2)))
