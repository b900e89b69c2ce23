import './evaluators.css'
import { Button, Progress, SegmentedControl, Select, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { Draft, DraftCandidate } from '../../contract/evaluators/calibrations.schemas.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { JobPause } from '../app/pause-description.tsx'
import { useModelChoice } from '../quotes/use-model-choice.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars } from '../ui/forms/dollars.ts'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { Estimate } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { orCancelled } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { DatasetVersionField } from './dataset-version-field.tsx'
import { draftQuery, useCancelJob, useDraft, useFrozenVersions, useRetryJob, useScorerName } from './evaluators.queries.ts'
import { describeDefinition, draftStatuses, endNotice } from './evaluators-words.ts'
import { labelOf } from './scorer-options.ts'
import { modelOf } from '../quotes/model-value.ts'

/** What costs nothing needs no limit. */
const draftLimitRules = { empty: 'None' } as const

export function NewDraftPage() {
  const navigate = useNavigate()
  const models = useModelChoice()
  const [versionId, setVersionId] = useState<string | null>(null)
  const [mode, setMode] = useState<'heuristic' | 'model'>('heuristic')
  const [model, setModel] = useState<string | null>(null)
  const [goal, setGoal] = useState('')
  const [dollars, setDollars] = useState('')
  const draft = useDraft()
  const limit = readDollars(dollars, draftLimitRules)
  const blocked =
    versionId === null
      ? 'Choose a dataset version.'
      : mode !== 'heuristic' && model === null
        ? 'Choose a model.'
        : mode === 'model' && limit.error !== null
          ? 'Correct the spending limit.'
          : null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (blocked !== null || versionId === null) return
    const body = {
      dataset_version_id: versionId,
      mode,
      ...(mode === 'model' && model !== null && { model: modelOf(model) }),
      ...(goal.trim() !== '' && { goal }),
      ...(mode === 'model' && limit.amount !== null && { max_charge_microusd: limit.amount }),
    }
    draft.mutate(body, { onSuccess: ({ id }) => void navigate(`/evaluators/drafts/${id}`) })
  }
  return (
    <Page layout="narrow">
      <PageHeader
        title="Draft from a dataset"
        parent={{ title: 'Evaluators', to: '/evaluators' }}
        description="Candidates are ranked by how well they agree with the labels on examples that took no part in fitting them."
      />
      <form className="stack" style={{ gap: 16 }} onSubmit={submit} noValidate>
        <DatasetVersionField value={versionId} onChange={setVersionId} />
        <SegmentedControl
          aria-label="Draft by"
          style={{ alignSelf: 'flex-start' }}
          data={[
            { value: 'heuristic', label: 'Scorers, no model' },
            { value: 'model', label: 'A judge, by a model' },
          ]}
          value={mode}
          onChange={value => setMode(value === 'model' ? 'model' : 'heuristic')}
        />
        {mode === 'model' ? (
          <>
            <Select
              label="Model"
              placeholder="Writes the instructions and judges by them"
              searchable
              withScrollArea={false}
              styles={{ options: { maxHeight: 320, overflowY: 'auto' } }}
              data={(models.options ?? [])
                .filter(({ isModel }) => isModel)
                .map(({ value, label, reasons }) => ({ value, label, disabled: reasons.length > 0 }))}
              value={model}
              onChange={setModel}
              nothingFoundMessage="No models. Add a connection first."
            />
            <DollarField
              label="Spending limit"
              description="Required where the model has a price"
              rules={draftLimitRules}
              value={dollars}
              onChange={setDollars}
            />
            <Textarea label="Goal" description="What the evaluator should decide" autosize minRows={2} {...textField(goal, setGoal)} />
          </>
        ) : null}
        {draft.isError ? <ErrorState error={draft.error} title="Couldn’t start the draft" /> : null}
        <div>
          <ReasonedButton type="submit" loading={draft.isPending} blocked={blocked}>
            Draft evaluators
          </ReasonedButton>
        </div>
      </form>
    </Page>
  )
}

export function DraftPage() {
  const { draftId = '' } = useParams()
  const query = useQuery(draftQuery(draftId))
  return (
    <Page>
      <QueryView query={query} failure="Couldn’t load the draft" header={<PageHeader title="Evaluator draft" parent={parent} />}>
        {draft => <DraftView draft={draft} />}
      </QueryView>
    </Page>
  )
}

function DraftView({ draft }: { readonly draft: Draft }) {
  const retry = useRetryJob(draft.job_id)
  const cancel = useCancelJob(draft.job_id)
  const { done, total } = draft.progress
  const isOpen = draft.status === 'queued' || draft.status === 'running'
  const datasets = useFrozenVersions()
  const from = datasets.data?.find(({ version }) => version.id === draft.dataset_version_id)
  return (
    <>
      <PageHeader
        title={from ? `Draft from ${showHidden(from.name)}` : 'Evaluator draft'}
        parent={parent}
        description={
          from
            ? `Version ${formatCount(from.version.version)}, ${draft.mode === 'heuristic' ? 'scorers, no model' : 'judge, by a model'}`
            : null
        }
        aside={<StatusBadge status={orCancelled(draftStatuses[draft.status], draft.failure)} />}
        actions={
          isOpen ? (
            <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
              Cancel draft
            </Button>
          ) : draft.status === 'failed' ? (
            <Button loading={retry.isPending} onClick={() => retry.mutate()}>
              Retry
            </Button>
          ) : null
        }
      />
      {isOpen ? <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label="Progress" maw={480} /> : null}
      {isOpen ? <JobPause jobId={draft.job_id} /> : null}
      {draft.failure ? <Notice {...endNotice('Draft', draft.failure)}>{draft.failure.message}</Notice> : null}
      {draft.status === 'ready' && draft.beats_majority === false && draft.majority ? (
        <Notice tone="warn" title="No candidate beats the most common label">
          {formatPercent(draft.majority.share)} of the examples are labeled {draft.majority.label}. No candidate is shown to be better than
          always giving that label.
        </Notice>
      ) : null}
      {draft.status === 'ready' ? (
        <Section title="Candidates">
          {draft.candidates.length === 0 ? (
            <EmptyState title="No candidates">No scorer agrees with the labels better than chance.</EmptyState>
          ) : (
            <div className="evaluators-grid">
              {draft.candidates.map((candidate, i) => (
                <Candidate key={JSON.stringify(candidate.definition)} candidate={candidate} rank={i + 1} />
              ))}
            </div>
          )}
        </Section>
      ) : null}
      {draft.rejected.length > 0 ? (
        <details>
          <summary>{draft.rejected.length} rejected</summary>
          <ul>
            {draft.rejected.map(({ reason }) => (
              <li key={reason}>
                <UntrustedText text={reason} layout="prose" />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  )
}

const parent = { title: 'Drafts', to: '/evaluators/drafts' }

/** Nothing where the scorer's own defaults hold. */
function describeOptions(options: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(options).map(([name, value]) => {
    // A choice among names reads as words; a pattern or a label is what it is.
    const isName = typeof value === 'string' && name !== 'pattern' && /^[a-z]+(?:_[a-z]+)*$/.test(value)
    const text = isName ? value.replaceAll('_', ' ') : typeof value === 'string' ? value : JSON.stringify(value)
    return value === true ? labelOf(name) : `${labelOf(name)}: ${text}`
  })
  return texts.length === 0 ? 'Default options' : texts.join(' · ')
}

function Candidate({ candidate, rank }: { readonly candidate: DraftCandidate; readonly rank: number }) {
  const navigate = useNavigate()
  const nameOf = useScorerName()
  const { definition, agreement, kappa, unscored, threshold } = candidate
  return (
    <div className="evaluators-card">
      <strong>
        {rank}. {describeDefinition(definition, nameOf)}
      </strong>
      <Estimate estimate={agreement} />
      <span className="quiet small num">
        kappa {kappa === null ? 'undefined' : formatNumber(kappa, 2)} · {formatCount(unscored)} unscored
        {threshold === null ? '' : ` · passes from ${threshold.toFixed(2)}`}
      </span>
      <UntrustedText
        text={
          definition.kind === 'deterministic'
            ? describeOptions(definition.options)
            : definition.kind === 'model_graded'
              ? definition.instructions.slice(0, 300)
              : ''
        }
        layout="prose"
      />
      <div>
        <Button variant="default" onClick={() => void navigate('/evaluators/new', { state: { definition } })}>
          Use in editor
        </Button>
      </div>
    </div>
  )
}
