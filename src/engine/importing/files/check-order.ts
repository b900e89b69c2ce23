import { createHash } from 'node:crypto'
import { canonicalJson } from '../../content/benchmarks/content-digest.ts'
import type { BenchmarkDefinition } from '../../tasks/definition.ts'
import { checkImport, type ImportCheck } from './check-import.ts'
import type { OpenedOrder } from './import-order.ts'
import { noShots, Tally, type Tallied } from './import-tally.ts'
import { importLimits } from './limits.ts'

interface CheckedOrder {
  readonly check: ImportCheck
  /** Null where something is wrong with it. */
  readonly definition: BenchmarkDefinition | null
}

/** Reads all files of an order once, and says what they hold and which benchmark that is. */
export async function checkOrder({
  sources,
  shots,
  warnings = [],
  givenShots,
  definedByFiles,
  define,
}: OpenedOrder): Promise<CheckedOrder> {
  const read = await checkImport(sources, shots)
  const shown = givenShots && givenShots.length > 0 ? { shots: givenShots } : {}
  const check = { ...read, ...shown, warnings: [...warnings, ...read.warnings] }
  if (check.problemCount > 0) return { check, definition: null }
  const definition = define(check)
  return { check: definedByFiles ? { ...check, digest: digestWith(check, definition) } : check, definition }
}

/** What is said of an import whose settings are refused, so that no row was read. */
export function refusedImport(problems: Tallied['problems']): ImportCheck {
  const nothing = new Tally(noShots, importLimits).result()
  return { ...nothing, problems, problemCount: problems.length, contentSha256: [] }
}

/** Over the content and how it is asked and graded. */
function digestWith({ digest, shots }: Tallied, { profiles }: BenchmarkDefinition): string {
  return createHash('sha256').update(canonicalJson({ digest, shots, profiles })).digest('hex')
}
