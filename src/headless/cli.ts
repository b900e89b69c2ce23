import { requireNode24 } from './require-node-24.ts'

requireNode24()
const { main } = await import('./main.ts')
process.exitCode = await main(process.argv.slice(2))
