import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import type { ReleasePlan } from '../../contract/releases/decisions.schemas.ts'
import type { EvidenceAnalysis, EvidenceTask } from '../../contract/releases/evidence.schemas.ts'
import type { Issue } from '../../contract/releases/issues.schemas.ts'
import { nameOf } from '../../engine/reporting/releases/collect-columns.ts'
import type { ExternalFigures } from '../../engine/reporting/releases/figures.ts'
import type { Kernel } from '../kernel.ts'
import { describeCoverage, unresolved } from './coverage.ts'
import { eachAnalysisTask, findAnalysis, findEvidence } from './evidence.store.ts'
import { unclosedIssues } from './issues.store.ts'
import type { DecisionSources } from './ports.ts'
import { findReleaseCalibration } from './release-calibrations.store.ts'
import type { ReleaseSuites } from './suites.service.ts'

/** What decisions know of evidence, pinned calibrations and issues. */
export function createDecisionSources({ db }: Pick<Kernel, 'db'>, suites: Pick<ReleaseSuites, 'read'>): DecisionSources {
  const analysisOf = (workspaceId: string, evidenceId: string, n: number) => {
    const evidence = requireFound(findEvidence(db, workspaceId, evidenceId), 'evidence', evidenceId)
    const found = requireFound(findAnalysis(db, evidence.no, n), 'analysis', `${evidenceId}/${n}`)
    return { evidence, ...found }
  }
  const calibrationOf = (workspaceId: string, id: string) =>
    requireFound(findReleaseCalibration(db, workspaceId, id), 'pinned calibration', id)
  return {
    planEvidence: (workspaceId, refs, sides, author) =>
      refs.map((ref, i) => {
        const { evidence, analysis } = analysisOf(workspaceId, ref.evidence_id, ref.analysis)
        const label = onlyLabel(analysis)
        const side = sides[ref.side]
        const isConfirmed = label !== null && side !== null && !isNamed(label, side)
        if (isConfirmed && ref.confirmed_label !== label)
          throw invalidField(
            ['body', 'evidence', i, 'confirmed_label'],
            `is required: the file is about "${label}", and the ${ref.side} is "${side.label}"; repeat the file's label to confirm that it is the ${ref.side}`,
            'label_differs',
          )
        if (isConfirmed && author.kind !== 'person')
          throw new ApiError('human_approval_required', `A person must confirm that "${label}" is the ${ref.side} "${side.label}".`)
        return {
          ...ref,
          evidence_id: evidence.id,
          sha256: evidence.sha256,
          analysis_digest: analysis.digest,
          label,
          ...(isConfirmed && { confirmed_by: author }),
        }
      }),
    figures: (workspaceId, planned) =>
      planned.flatMap(({ evidence_id, analysis: n, side, group, label = null, confirmed_by: by }) => {
        const { no, analysis } = analysisOf(workspaceId, evidence_id, n)
        // A cancelled or invalidated log gives no figures, so that a rule that needs them stays open.
        return analysis.blocked === null
          ? figuresOf(analysis, [...eachAnalysisTask(db, no)], { side, group, label, confirmedBy: by?.name ?? null })
          : []
      }),
    planCalibrations: (workspaceId, ids) => ids.map(id => ({ id, digest: calibrationOf(workspaceId, id).digest })),
    calibrations: (workspaceId, planned) =>
      planned.map(({ id }) => {
        const { name, evaluator_version_id, kappa, n, calibrated_at } = calibrationOf(workspaceId, id)
        return { name, evaluatorVersionId: evaluator_version_id, kappaLower: kappa?.interval?.low ?? null, n, at: calibrated_at }
      }),
    issues: (workspaceId, suiteVersionId) => {
      const open = unclosedIssues(db, workspaceId).filter(({ status }) => unresolved.includes(status))
      const of = (severity: Issue['severity']) => open.filter(issue => issue.severity === severity)
      const { uncovered_critical } = describeCoverage(suites.read(workspaceId, suiteVersionId), { capabilities: [], untagged: 0 }, open)
      const critical = of('critical').length
      return {
        issues: { critical, high: of('high').length, medium: of('medium').length, low: of('low').length },
        criticalIssues: { open: critical, covered: critical - uncovered_critical.length },
      }
    },
  }
}

/** The one system that an analysis is about; null where it names none, or several, of which none is used. */
function onlyLabel({ metrics }: EvidenceAnalysis): string | null {
  const [label = null, ...others] = new Set(metrics.map(metric => metric.label))
  return others.length === 0 ? label : null
}

/** Whether a label is what the side or its model is called. */
function isNamed(label: string, { label: own, model }: ReleasePlan['candidate']): boolean {
  const names = [own, model?.title, model?.model, model?.route_id].map(name => name?.trim().toLowerCase())
  return names.includes(label.trim().toLowerCase())
}

/** The figures of one label for a group, or for the whole suite. */
function figuresOf(
  analysis: EvidenceAnalysis,
  tasks: readonly EvidenceTask[],
  named: Pick<ExternalFigures, 'side' | 'group' | 'label' | 'confirmedBy'>,
): ExternalFigures[] {
  const { group } = named
  // Several labels are several systems: none of them is the side until the analysis names it.
  if (new Set(analysis.metrics.map(({ label }) => label)).size > 1) return []
  const groups = new Set(analysis.metrics.map(metric => metric.group))
  const wanted = analysis.metrics.filter(
    metric => metric.group === group || (analysis.tasks === 0 && group === null) || (group === null && groups.size === 1),
  )
  const values =
    analysis.tasks === 0
      ? null
      : Object.fromEntries(
          tasks.flatMap(task =>
            task.value === null || (group !== null && task.group !== group)
              ? []
              : [[nameOf(task.source_ref ?? '', task.task_id), task.value]],
          ),
        )
  return wanted.flatMap(({ name, estimate: { mean, n, standard_error } }) =>
    mean === null ? [] : [{ ...named, metric: name, n: n ?? 0, estimate: mean, standardError: standard_error, values }],
  )
}
