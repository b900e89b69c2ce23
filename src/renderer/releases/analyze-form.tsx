import { NumberInput, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Evidence } from '../../contract/releases/evidence.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { EvidenceFindings } from './evidence-findings.tsx'
import { type AnalysisBody, analysisQuery, previewQuery, useAnalyze, useReleaseSuites } from './releases.queries.ts'

const debounceMs = 300

interface Reading {
  readonly suite: string | null
  readonly side: string | null
  readonly taskField: string
  readonly valueField: string
  readonly label: string | null
  readonly passAt: number | null
}

const plain: Reading = { suite: null, side: null, taskField: '', valueField: '', label: null, passAt: null }

/** How a file is read, beside what comes of it: nothing is stored before a person has seen it. */
export function AnalyzeForm({ evidence }: { readonly evidence: Evidence }) {
  const analyze = useAnalyze(evidence.id)
  const suites = useReleaseSuites()
  const [reading, setReading] = useState<Reading | null>(null)
  const now = reading ?? plain
  const [asked] = useDebouncedValue(now, debounceMs)
  const preview = useQuery(previewQuery(evidence.id, bodyOf(asked)))
  const latest = useQuery(analysisQuery(evidence.id, evidence.analyses))
  const change = (part: Partial<Reading>) => setReading({ ...now, ...part })
  const labels = (preview.data?.labels ?? []).filter(label => label !== null)
  const isMatched = preview.data !== undefined && (preview.data.rows === 0 || preview.data.mapped > 0)
  const isShown = asked === now && !preview.isPlaceholderData
  const blocked = !isShown
    ? 'The file is being read.'
    : preview.isError
      ? 'The file cannot be read this way. See the reason below.'
      : isMatched
        ? null
        : preview.data
          ? 'None of its rows is a task of the suite.'
          : 'The file is being read.'
  return (
    <>
      <Section title="Analyze">
        <form
          className="stack"
          onSubmit={event => {
            event.preventDefault()
            if (blocked === null) analyze.mutate(bodyOf(now), { onSuccess: () => setReading(null) })
          }}
        >
          <div className="releases-fields">
            <Select
              label="Release suite"
              placeholder="None"
              clearable
              value={now.suite}
              data={(suites.data ?? []).map(({ id, name, version }) => ({ value: id, label: `${name}, version ${version}` }))}
              onChange={suite => change({ suite })}
            />
            <Select
              label="Side"
              placeholder="Not stated"
              clearable
              value={now.side}
              data={[
                { value: 'candidate', label: 'Candidate' },
                { value: 'baseline', label: 'Baseline' },
              ]}
              onChange={side => change({ side })}
            />
            <Select
              label="Label"
              placeholder={labels.length === 0 ? 'The file names none' : 'All'}
              disabled={labels.length === 0 && now.label === null}
              clearable
              value={now.label}
              data={[...new Set([...labels, ...(now.label === null ? [] : [now.label])])].map(label => ({
                value: label,
                label: showHidden(label),
              }))}
              onChange={label => change({ label })}
            />
            <TextInput
              label="Task field"
              placeholder="By the question"
              maxLength={200}
              {...textField(now.taskField, text => change({ taskField: text }))}
            />
            <TextInput
              label="Value field"
              placeholder="First"
              maxLength={200}
              {...textField(now.valueField, text => change({ valueField: text }))}
            />
            <NumberInput
              label="Passes at"
              placeholder="No threshold"
              value={now.passAt ?? ''}
              onChange={passAt => change({ passAt: typeof passAt === 'number' ? passAt : null })}
            />
          </div>
          {analyze.isError ? <ErrorState error={analyze.error} title="Couldn’t analyze the evidence" /> : null}
          <div className="row">
            <ReasonedButton type="submit" loading={analyze.isPending} blocked={blocked}>
              Analyze
            </ReasonedButton>
            {blocked === null ? null : <span className="quiet small">{blocked}</span>}
          </div>
        </form>
      </Section>
      {reading === null && evidence.analyses > 0 ? (
        <QueryView query={latest} failure="Couldn’t load the analysis">
          {analysis => (
            <Section title={`Analysis ${analysis.n}`}>
              <EvidenceFindings found={analysis} />
            </Section>
          )}
        </QueryView>
      ) : (
        <Section title="Preview">
          <QueryView query={preview} failure="Couldn’t read the file this way">
            {found => <EvidenceFindings found={found} />}
          </QueryView>
        </Section>
      )}
    </>
  )
}

function bodyOf({ suite, side, taskField, valueField, label, passAt }: Reading): AnalysisBody {
  return {
    suite_version_id: suite,
    side: side === 'candidate' || side === 'baseline' ? side : null,
    mapping: {
      ...(taskField === '' ? {} : { task_field: taskField }),
      ...(valueField === '' ? {} : { value_field: valueField }),
      ...(label === null ? {} : { label }),
      ...(passAt === null ? {} : { pass_at: passAt }),
    },
  }
}
