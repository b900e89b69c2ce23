import type { MetricPlan } from '../../engine/execution/scheduler/ports.ts'
import { codeLanguages } from '../../engine/grading/scorers/code/code-scorers.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Kernel } from '../kernel.ts'
import type { TeamRuns } from '../workers/index.ts'
import { presentRun } from './result-frame.ts'
import { noteSandboxes } from './run-sandboxes.store.ts'

/**
 * Records what the code of these metrics is run in, before the first of it is. A service chooses its sandboxes once, so this holds until
 * it ends; a run resumed by another start is recorded again.
 */
export async function recordSandboxes(
  { db }: Pick<Kernel, 'db'>,
  workers: Pick<Workers, 'sandbox'>,
  runNo: number,
  metrics: readonly MetricPlan[],
): Promise<void> {
  const languages = codeLanguages(metrics)
  if (languages.length === 0) return
  const { chosen } = await workers.sandbox()
  const used = languages.flatMap(language => chosen[language] ?? [])
  db.transaction(() => noteSandboxes(db, presentRun({ db }, runNo), used))
}

/** What machines that work for the service must know of its runs, and may note. */
export function teamRuns({ db }: Pick<Kernel, 'db'>): TeamRuns {
  return {
    workspaceOf: runNo => presentRun({ db }, runNo).workspace_id,
    noteSandboxes: (runNo, used) =>
      db.transaction(() => {
        const row = presentRun({ db }, runNo)
        noteSandboxes(db, row.part_of === null ? row : presentRun({ db }, row.part_of), used)
      }),
  }
}
