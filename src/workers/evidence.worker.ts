import { createHash } from 'node:crypto'
import { analyzeEvidence } from '../engine/importing/evidence/analyze-evidence.ts'
import { EvidenceError } from '../engine/importing/evidence/evidence-file.ts'
import { readEvidence } from '../engine/importing/evidence/read-evidence.ts'
import type { Database } from '../storage/database.ts'
import { readCapabilities, readEvidenceContent, readSuiteTasks } from '../storage/reads/release-evidence.ts'
import { openReader } from './database-path.ts'
import { type CapabilitiesTask, type EvidenceAnswer, type EvidenceTask, type SuiteCapabilities, tasksPerChunk } from './evidence-pool.ts'

const shownTasks = 100

/** Everything about evidence and suites that takes long or reads what others wrote. */
export default async function evidence(task: EvidenceTask | CapabilitiesTask): Promise<EvidenceAnswer | SuiteCapabilities> {
  const db = openReader()
  try {
    return task.kind === 'analyze' ? await analyze(db, task) : readCapabilities(db, task.suiteVersionId)
  } finally {
    db.close()
  }
}

/** Reads a file of evidence and sums it up. Tasks are answered as JSON, which crosses threads at little cost. */
async function analyze(db: Database, { evidenceId, suiteVersionId, mapping }: EvidenceTask): Promise<EvidenceAnswer> {
  try {
    const { format, content } = readEvidenceContent(db, evidenceId)
    const suite = suiteVersionId === null ? null : readSuiteTasks(db, suiteVersionId)
    const file = await readEvidence(format, content, { taskField: mapping.task_field, valueField: mapping.value_field })
    const { tasks, metrics, ...analysis } = analyzeEvidence(file, {
      passAt: mapping.pass_at,
      label: mapping.label,
      suite,
      namesTasks: mapping.task_field !== undefined,
    })
    const chunks: string[] = []
    for (let from = 0; from < tasks.length; from += tasksPerChunk) chunks.push(JSON.stringify(tasks.slice(from, from + tasksPerChunk)))
    const digest = createHash('sha256').update(JSON.stringify(metrics))
    for (const chunk of chunks) digest.update(chunk)
    return {
      ok: true,
      rows: analysis.rows,
      mapped: analysis.mapped,
      unmapped_count: analysis.unmappedCount,
      unmapped: [...analysis.unmapped],
      metrics: metrics.map(({ name, group, label, standardError, cautions, ...estimate }) => ({
        name,
        group,
        label,
        estimate: { ...estimate, standard_error: standardError, cautions: [...cautions] },
      })),
      pairs: [...analysis.pairs],
      labels: analysis.labels.slice(0, shownTasks),
      tasks: tasks.length,
      per_task: tasks.slice(0, shownTasks),
      cautions: [...analysis.cautions],
      blocked: analysis.blocked,
      digest: digest.digest('hex'),
      chunks,
    }
  } catch (error) {
    if (error instanceof EvidenceError) return { ok: false, message: error.message }
    throw error
  }
}
