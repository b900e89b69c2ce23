import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkOrder } from '../../../../../src/engine/importing/files/check-order.ts'
import { openOrder } from '../../../../../src/engine/importing/files/open-order.ts'
import { OrderFault } from '../../../../../src/engine/importing/files/order-fault.ts'
import type { WantedColumns } from '../../../../../src/engine/importing/files/column-mapping.ts'
import type { JudgedAssertion, OwnFormat } from '../../../../../src/engine/importing/files/import-order.ts'
import type { Tallied } from '../../../../../src/engine/importing/files/import-tally.ts'
import type { BenchmarkDefinition } from '../../../../../src/engine/tasks/definition.ts'
import type { Task } from '../../../../../src/engine/tasks/task.ts'
import { importedTasks } from '../../../../../src/engine/importing/files/check-import.ts'
import { temporaryFolder } from '../../../../support/temporary-folder.ts'
import { collect } from './given.ts'

export interface SentFile {
  readonly name: string
  readonly content: string | Uint8Array
}

export const lines = (...rows: readonly unknown[]) => rows.map(row => JSON.stringify(row)).join('\n')

interface Looked {
  readonly problems: Tallied['problems']
  readonly definition: BenchmarkDefinition | null
  readonly tasks: readonly Task[]
  readonly warnings: readonly string[]
  readonly shots: Tallied['shots']
  readonly leftOut: Tallied['leftOut']
  readonly judged: readonly JudgedAssertion[]
}

/** What an import of these files finds: the benchmark with its tasks, or the problems for which nothing is imported. */
export async function lookAt(
  format: OwnFormat,
  files: readonly SentFile[],
  leaveOut = false,
  mapping: WantedColumns = {},
): Promise<Looked> {
  const folder = temporaryFolder()
  try {
    const ordered = files.map(({ name, content }, i) => {
      const path = join(folder.path, String(i))
      writeFileSync(path, content)
      return { name, path, role: 'tasks' }
    })
    const opened = openOrder({ what: { kind: 'own', format, mapping, leaveOut, title: 'Sent', slug: 'sent' }, files: ordered })
    const { check, definition } = await checkOrder(opened)
    const { problems, warnings, shots, leftOut, judged } = check
    return { problems, warnings, shots, leftOut, judged, definition, tasks: definition ? await collect(importedTasks(opened.sources)) : [] }
  } catch (error) {
    if (!(error instanceof OrderFault)) throw error
    return { problems: error.problems, definition: null, tasks: [], warnings: [], shots: [], leftOut: [], judged: [] }
  } finally {
    folder.remove()
  }
}
