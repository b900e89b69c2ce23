import type { By } from '../../contract/datasets/examples.schemas.ts'
import type { ModelChoice } from '../../contract/quotes/quotes.schemas.ts'
import type { ReleaseEvidenceRef, ReleasePlan } from '../../contract/releases/decisions.schemas.ts'
import type { CalibrationFacts, ExternalFigures, OtherFacts } from '../../engine/reporting/releases/figures.ts'

type PlannedEvidence = ReleasePlan['evidence'][number]
type PlannedCalibration = ReleasePlan['calibrations'][number]

/** What decisions ask of evidence, calibrations and issues. Each is read in the caller's transaction or outside of one. */
export interface DecisionSources {
  /**
   * The named analyses with their digests, for the plan.
   * @throws ApiError not_found; validation_error for a label of another name than its side's that no person confirmed
   */
  planEvidence(
    workspaceId: string,
    refs: readonly ReleaseEvidenceRef[],
    sides: Pick<ReleasePlan, 'candidate' | 'baseline'>,
    author: By,
  ): PlannedEvidence[]
  /** Figures of planned analyses, in the names that rules use. */
  figures(workspaceId: string, planned: readonly PlannedEvidence[]): ExternalFigures[]
  /** @throws ApiError not_found */
  planCalibrations(workspaceId: string, ids: readonly string[]): PlannedCalibration[]
  calibrations(workspaceId: string, planned: readonly PlannedCalibration[]): CalibrationFacts[]
  /** Open issues now, by severity and by whether the suite has one of their tasks. */
  issues(workspaceId: string, suiteVersionId: string): Pick<OtherFacts, 'issues' | 'criticalIssues'>
}

/** How a side is evaluated again: by the model that it names, or by the one that its adopted evaluations asked. */
export function modelChoiceOf(side: ReleasePlan['candidate'], chosen: ModelChoice | null): ModelChoice | null {
  if (chosen) return chosen
  if (side.model?.kind === 'managed' && side.model.route_id !== null) return { kind: 'managed', route_id: side.model.route_id }
  if (side.model?.kind === 'connection' && side.model.connection_id !== null)
    return { kind: 'connection', connection_id: side.model.connection_id }
  return null
}
