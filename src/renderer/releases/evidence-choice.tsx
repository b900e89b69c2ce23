import { Checkbox, MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { checkField } from '../ui/forms/fields.ts'
import { Section } from '../ui/page/page-header.tsx'
import { analysisQuery, useEvidenceList, useReleaseCalibrations } from './releases.queries.ts'

/** Results from elsewhere that the rules may use, by `evidence:<id>:<analysis>` and calibration id. */
export interface EvidenceDraft {
  readonly candidate: readonly string[]
  readonly baseline: readonly string[]
  readonly calibrations: readonly string[]
  /** Labels that a person confirmed to be a side, by `<side> <value>`. */
  readonly confirmed: Readonly<Record<string, string>>
}

export const noEvidence: EvidenceDraft = { candidate: [], baseline: [], calibrations: [], confirmed: {} }

interface EvidenceChoiceProps {
  readonly draft: EvidenceDraft
  /** What the sides and their models are called; null without a baseline. */
  readonly names: { readonly candidate: readonly string[]; readonly baseline: readonly string[] | null }
  readonly onChange: (draft: EvidenceDraft) => void
}

/** Absent where there is nothing to choose. The latest analysis of each file is frozen with the plan. */
export function EvidenceChoice({ draft, names, onChange }: EvidenceChoiceProps) {
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
      {draft.candidate.map(value => (
        <LabelCheck key={value} value={value} side="candidate" names={names.candidate} draft={draft} onChange={onChange} />
      ))}
      {evidence.length === 0 || names.baseline === null ? null : (
        <MultiSelect
          label="Evidence for the baseline"
          maw={480}
          searchable
          data={files}
          value={[...draft.baseline]}
          onChange={baseline => onChange({ ...draft, baseline })}
        />
      )}
      {draft.baseline.map(value => (
        <LabelCheck key={value} value={value} side="baseline" names={names.baseline ?? []} draft={draft} onChange={onChange} />
      ))}
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

interface LabelCheckProps extends Pick<EvidenceChoiceProps, 'draft' | 'onChange'> {
  readonly value: string
  readonly side: 'candidate' | 'baseline'
  readonly names: readonly string[]
}

/** A file about a model of another name is the side only if a person says so. */
function LabelCheck({ value, side, names, draft, onChange }: LabelCheckProps) {
  const { id, n } = partsOf(value)
  const analysis = useQuery(analysisQuery(id, n)).data
  const [label = null, ...others] = new Set(analysis?.metrics.map(metric => metric.label))
  if (label === null || others.length > 0 || names.some(name => name.trim().toLowerCase() === label.trim().toLowerCase())) return null
  const key = `${side} ${value}`
  const { [key]: _, ...rest } = draft.confirmed
  return (
    <Checkbox
      label={`The file is about “${showHidden(label)}”. This is the ${side}.`}
      description="Your confirmation stands in the plan, in the rule and in the record."
      {...checkField(draft.confirmed[key] === label, isChecked =>
        onChange({ ...draft, confirmed: isChecked ? { ...rest, [key]: label } : rest }),
      )}
    />
  )
}

function partsOf(value: string): { readonly id: string; readonly n: number } {
  const [id = '', n] = value.split(':')
  return { id, n: Number(n) }
}

/** As the service takes them. */
export function evidenceOf({ candidate, baseline, calibrations, confirmed }: EvidenceDraft) {
  const refs = (values: readonly string[], side: 'candidate' | 'baseline') =>
    values.map(value => {
      const { id, n } = partsOf(value)
      const label = confirmed[`${side} ${value}`]
      return { evidence_id: id, analysis: n, side, ...(label !== undefined && { confirmed_label: label }) }
    })
  return { evidence: [...refs(candidate, 'candidate'), ...refs(baseline, 'baseline')], calibration_ids: [...calibrations] }
}
