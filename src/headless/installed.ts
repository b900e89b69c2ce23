import { fileURLToPath } from 'node:url'
import { frugalEnvironment } from './frugal-process.ts'
import { runBuilt } from './run-built.ts'

/** Commands that are a service for as long as they run. */
const services = ['serve', 'start', 'open']

/** The program of an installed package: services get memory settings that only a new process can have. */
const args = process.argv.slice(2)
const isFrugal = Object.keys(frugalEnvironment).every(name => process.env[name] !== undefined)
if (!isFrugal && args.some(argument => services.includes(argument)))
  process.exitCode = await runBuilt(fileURLToPath(new URL('../..', import.meta.url)), args)
else await import('./cli.ts')
