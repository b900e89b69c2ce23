import { compileSchema } from '../../src/engine/grading/scorers/text/json-schema.ts'
import { cpuMsOf } from './machine-speed.ts'

/** A schema within its bounds of size that takes about a second to compile. */
export function heavySchema() {
  const properties = Object.fromEntries(
    Array.from({ length: 1_200 }, (_, i) => [`f${i}`, { type: 'string', pattern: `^[a-z]{1,${(i % 900) + 1}}$` }]),
  )
  return { type: 'object', properties }
}

/** Milliseconds of processor time that compiling it takes here and now, so that a bound holds on machines of any speed; meanwhile no service of this process answers. */
export const compileCpuMs = (): Promise<number> => cpuMsOf(() => compileSchema(heavySchema()))
