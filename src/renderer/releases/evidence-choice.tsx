import { MultiSelect } from '@mantine/core'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import { useEvidenceList, useReleaseCalibrations } from './releases.queries.ts'

/** Results from elsewhere that the rules may use, by `evidence:<id>:<analysis>` and calibration id. */
export interface EvidenceDraft {
  readonly candidate: readonly string[]
  readonly baseline: readonly string[]
  readonly calibrations: readonly string[]
}

export const noEvidence: EvidenceDraft = { candidate: [], baseline: [], calibrations: [] }

interface EvidenceChoiceProps {
  readonly draft: EvidenceDraft
  readonly hasBaseline: boolean
  readonly onChange: (draft: EvidenceDraft) => void
}

/** Absent where there is nothing to choose. The latest analysis of each file is frozen with the plan. */
export function EvidenceChoice({ draft, hasBaseline, onChange }: EvidenceChoiceProps) {
  const evidence = (useEvidenceList().data ?? []).filter(({ analyses }) => analyses > 0)
  const calibrations = useReleaseCalibrations().data ?? []
  if (evidence.length === 0 && calibrations.length === 0) return null
  const files = evidence.map(({ id, name, analyses }) => ({
    value: `${id}:${analyses}`,
    label: `${name}, analysis ${formatCount(analyses)}`,
  }))
  return (
    <Section title="Evidence (optional)">
      {evidence.length === 0 ? null : (
        <MultiSelect
          label="Evidence for the candidate"
          description="Imported results, for rules whose source is imported evidence"
          maw={480}
          searchable
          data={files}
          value={[...draft.candidate]}
          onChange={candidate => onChange({ ...draft, candidate })}
        />
      )}
      {evidence.length === 0 || !hasBaseline ? null : (
        <MultiSelect
          label="Evidence for the baseline"
          maw={480}
          searchable
          data={files}
          value={[...draft.baseline]}
          onChange={baseline => onChange({ ...draft, baseline })}
        />
      )}
      {calibrations.length === 0 ? null : (
        <MultiSelect
          label="Calibrations"
          description="Pinned agreement of a judge with people, for rules about judges"
          maw={480}
          searchable
          data={calibrations.map(({ id, name, n }) => ({ value: id, label: `${name} (${formatCount(n)} labels)` }))}
          value={[...draft.calibrations]}
          onChange={chosen => onChange({ ...draft, calibrations: chosen })}
        />
      )}
    </Section>
  )
}

/** As the service takes them. */
export function evidenceOf({ candidate, baseline, calibrations }: EvidenceDraft) {
  const refs = (values: readonly string[], side: 'candidate' | 'baseline') =>
    values.map(value => {
      const [evidence_id = '', analysis] = value.split(':')
      return { evidence_id, analysis: Number(analysis), side }
    })
  return { evidence: [...refs(candidate, 'candidate'), ...refs(baseline, 'baseline')], calibration_ids: [...calibrations] }
}
