import type { Database } from '../../storage/database.ts'

export interface Purpose {
  readonly purpose: 'main' | 'confirm'
  readonly side: 'candidate' | 'baseline'
  readonly group: string
  readonly look: number
}

export interface EvaluationOfDecision extends Purpose {
  readonly no: number
  readonly adopted: boolean
  readonly seenBeforePlan: boolean
  readonly maxCharge: bigint
  readonly evaluationId: string | null
  readonly resultVersion: number | null
  readonly samplesDigest: string | null
}

export function evaluationsOf(db: Database, decisionNo: number): EvaluationOfDecision[] {
  const rows = db.all(db.sql.selectFrom('release_evaluations').selectAll().where('decision_no', '=', decisionNo).orderBy('no'))
  return rows.map(row => ({
    no: row.no,
    purpose: row.purpose,
    side: row.side,
    group: row.group_key,
    look: row.look,
    adopted: row.adopted === 1,
    seenBeforePlan: row.seen_before_plan === 1,
    maxCharge: BigInt(row.max_charge_microusd),
    evaluationId: row.evaluation_id,
    resultVersion: row.result_version,
    samplesDigest: row.samples_digest,
  }))
}

/** Plans an evaluation with its cap; one of that purpose that is there already stays as it is. */
export function planEvaluation(db: Database, decisionNo: number, { purpose, side, group, look }: Purpose, maxCharge: bigint): void {
  db.run(
    db.sql
      .insertInto('release_evaluations')
      .values({
        decision_no: decisionNo,
        purpose,
        side,
        group_key: group,
        look,
        adopted: 0,
        seen_before_plan: 0,
        max_charge_microusd: String(maxCharge),
        evaluation_id: null,
        result_version: null,
        samples_digest: null,
      })
      .onConflict(conflict => conflict.doNothing()),
  )
}

export function adoptEvaluation(
  db: Database,
  decisionNo: number,
  { side, group }: Pick<Purpose, 'side' | 'group'>,
  evaluationId: string,
  seenBeforePlan: boolean,
): void {
  db.run(
    db.sql.insertInto('release_evaluations').values({
      decision_no: decisionNo,
      purpose: 'main',
      side,
      group_key: group,
      look: 1,
      adopted: 1,
      seen_before_plan: seenBeforePlan ? 1 : 0,
      max_charge_microusd: '0',
      evaluation_id: evaluationId,
      result_version: null,
      samples_digest: null,
    }),
  )
}

export function setEvaluation(db: Database, no: number, evaluationId: string): void {
  db.run(db.sql.updateTable('release_evaluations').set({ evaluation_id: evaluationId }).where('no', '=', no))
}

/** Fixes what the analysis reads. */
export function freezeResult(db: Database, no: number, resultVersion: number, samplesDigest: string): void {
  db.run(
    db.sql.updateTable('release_evaluations').set({ result_version: resultVersion, samples_digest: samplesDigest }).where('no', '=', no),
  )
}
