import './releases.css'
import { Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { useBenchmarks } from '../catalog/catalog.queries.ts'
import { useModelChoice } from '../quotes/use-model-choice.ts'
import { runQuery } from '../runs/runs.queries.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars } from '../ui/forms/dollars.ts'
import { FormActions } from '../ui/forms/form-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { useKeptDraft } from '../ui/forms/use-kept-draft.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { type DecisionDraft, draftAgain, emptyDraft } from './decision-draft.ts'
import { EvidenceChoice } from './evidence-choice.tsx'
import { PlanFigures } from './plan-figures.tsx'
import { usePlanDecision } from './plan-decision.ts'
import { PolicyEditor } from './policy-editor.tsx'
import { paired } from './policy-form.ts'
import { PolicyTermsFields } from './policy-terms.tsx'
import { decisionQuery, usePolicies, useReleaseSuites } from './releases.queries.ts'
import { describeRule } from './releases-words.ts'
import { SideField } from './side-field.tsx'
import { runOfSide } from './side-runs.ts'
import { groupKey, SuiteChoice } from './suite-choice.tsx'

const title = 'New decision'
const parent = { title: 'Releases', to: '/releases' }
const description = 'The plan is frozen before the first result is known, so tasks and rules can’t be chosen by their results.'

/** From a model and a suite to a planned decision, on one page; `again` begins with the models and rules of an earlier one. */
export function NewDecisionPage() {
  const { get } = useAddress()
  const again = get('again')
  return again === '' ? (
    <NewDecision form="new-decision" initial={emptyDraft} />
  ) : (
    <AgainDecision id={again} tasks={wholeNumber(get('tasks'))} />
  )
}

function AgainDecision({ id, tasks }: { readonly id: string; readonly tasks: number | null }) {
  const decision = useQuery(decisionQuery(id))
  const suites = useReleaseSuites()
  const benchmarks = useBenchmarks('')
  if (!decision.data || !suites.data || !benchmarks.data)
    return (
      <Page>
        <QueryView query={decision} failure="Couldn’t load the decision" header={<PageHeader title={title} parent={parent} />}>
          {() => <LinesSkeleton lines={8} />}
        </QueryView>
      </Page>
    )
  const suite = suites.data.find(one => one.id === decision.data.suite_version_id)
  return <NewDecision form={`decision-again.${id}.${tasks}`} initial={draftAgain(decision.data, suite, benchmarks.data, tasks)} />
}

function wholeNumber(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}

function NewDecision({ form, initial }: { readonly form: string; readonly initial: DecisionDraft }) {
  const navigate = useNavigate()
  const models = useModelChoice()
  const policies = usePolicies()
  const plan = usePlanDecision()
  const { draft, change, forget } = useKeptDraft(form, initial)
  const { suite, policyWay, policyId, rules, confidence, terms, candidate, baseline, evidence, cap } = draft
  const runs = useQueries({
    queries: [candidate, baseline].map(side => ({ ...runQuery(runOfSide(side) ?? ''), enabled: runOfSide(side) !== null })),
  })
  const labelOf = (value: string | null) =>
    models.options?.find(option => option.value === value)?.label ??
    runs.find(({ data }) => data?.id === runOfSide(value))?.data?.model.title ??
    null
  const saved = policies.data?.find(({ id }) => id === policyId)
  const asked = policyWay === 'policy' ? (saved?.rules ?? []) : rules
  const needsBaseline = asked.some(({ kind }) => paired.includes(kind))
  const { amount } = readDollars(cap)
  const label = labelOf(candidate)
  const name = draft.name ?? (label === null ? '' : `Release of ${label}`.slice(0, 200))
  const hasRun = runOfSide(candidate) !== null || runOfSide(baseline) !== null
  const hasSuite =
    suite.way === 'run' ? hasRun : suite.way === 'suite' ? suite.suiteId !== null : suite.groups.every(({ slug }) => slug !== null)
  const hasPolicy = policyWay === 'policy' ? policyId !== null : rules.length > 0
  const suites = useReleaseSuites()
  const groups =
    suite.way === 'benchmark'
      ? suite.groups.map((_, i) => groupKey(suite, i))
      : (suites.data?.find(({ id }) => id === suite.suiteId)?.groups.map(({ key }) => key) ?? [])
  const missing = [
    ...(hasSuite ? [] : ['a suite']),
    ...(hasPolicy ? [] : ['a policy']),
    ...(candidate === null ? ['a candidate'] : []),
    ...(needsBaseline && baseline === null ? ['a baseline'] : []),
    ...(amount === null ? ['a spending limit'] : []),
    ...(name.trim() === '' ? ['a name'] : []),
  ]
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (missing.length > 0 || candidate === null || amount === null) return
    plan.mutate(
      {
        name: name.trim(),
        suite,
        policy: policyWay === 'policy' ? policyId : { rules, confidence, terms },
        candidate: { label: label ?? 'Candidate', model: candidate },
        baseline: baseline === null ? null : { label: labelOf(baseline) ?? 'Baseline', model: baseline },
        cap: amount,
        evidence,
      },
      {
        onSuccess: ({ id }) => {
          forget()
          void navigate(`/releases/${id}`)
        },
      },
    )
  }
  return (
    <Page>
      <PageHeader title={title} parent={parent} description={description} />
      <form className="stack releases-form" onSubmit={submit} noValidate>
        <Section title="1. Suite">
          <SuiteChoice draft={suite} onChange={chosen => change({ suite: chosen })} />
        </Section>
        <Section title="2. Policy">
          <SegmentedControl
            aria-label="Policy"
            style={{ alignSelf: 'start' }}
            value={policyWay}
            onChange={way => change({ policyWay: way === 'policy' ? 'policy' : 'new' })}
            data={[
              { value: 'new', label: 'New policy' },
              { value: 'policy', label: 'Saved policy' },
            ]}
          />
          {policyWay === 'policy' ? (
            <>
              <Select
                label="Saved policy"
                maw={480}
                placeholder={policies.data?.length === 0 ? 'None yet' : 'Choose a policy'}
                value={policyId}
                data={(policies.data ?? []).map(policy => ({ value: policy.id, label: `${policy.name}, version ${policy.version}` }))}
                onChange={chosen => change({ policyId: chosen })}
              />
              {saved ? (
                <ul className="releases-sentences">
                  {saved.rules.map(rule => (
                    <li key={rule.key}>{describeRule(rule, saved.confidence)}</li>
                  ))}
                </ul>
              ) : null}
            </>
          ) : (
            <>
              <PolicyEditor
                groups={groups}
                rules={rules}
                confidence={confidence}
                onRules={changed => change({ rules: changed })}
                onConfidence={level => change({ confidence: level })}
              />
              <PolicyTermsFields terms={terms} onChange={changed => change({ terms: changed })} />
            </>
          )}
        </Section>
        <Section title="3. Candidate">
          <SideField side="candidate" models={models} value={candidate} onChange={chosen => change({ candidate: chosen })} />
        </Section>
        <Section title={needsBaseline ? '4. Baseline' : '4. Baseline (optional)'}>
          <SideField side="baseline" models={models} value={baseline} onChange={chosen => change({ baseline: chosen })} />
          {baseline !== null && baseline === candidate ? (
            <Notice tone="warn" title="Candidate and baseline are the same model">
              A difference would only show how much its answers vary.
            </Notice>
          ) : null}
        </Section>
        <EvidenceChoice
          draft={evidence}
          names={{ candidate: namesOf(candidate, label), baseline: baseline === null ? null : namesOf(baseline, labelOf(baseline)) }}
          onChange={chosen => change({ evidence: chosen })}
        />
        <Section title="5. Spending limit and name">
          <DollarField
            label="Spending limit"
            description="For all evaluations of the decision together. Connections are billed by their provider."
            value={cap}
            onChange={typed => change({ cap: typed })}
          />
          <TextInput label="Name" maw={480} maxLength={200} {...textField(name, text => change({ name: text }))} />
        </Section>
        <Section title="6. What it can detect and what it takes">
          <PlanFigures
            suite={suite}
            rules={asked}
            confidence={policyWay === 'policy' ? (saved?.confidence ?? confidence) : confidence}
            repeat={(policyWay === 'policy' ? saved?.repeat : terms.repeat) ?? 'record'}
            candidate={candidate}
            baseline={baseline}
          />
        </Section>
        {plan.isError ? <ErrorState error={plan.error} title="Couldn’t plan the decision" /> : null}
        <FormActions>
          <ReasonedButton
            type="submit"
            loading={plan.isPending}
            blocked={missing.length > 0 ? `Still missing: ${missing.join(', ')}` : null}
          >
            Plan decision
          </ReasonedButton>
          <Button component={Link} to="/releases" variant="default">
            Cancel
          </Button>
          {missing.length > 0 ? <span className="quiet">Still missing: {missing.join(', ')}</span> : null}
        </FormActions>
      </form>
    </Page>
  )
}

/** What a side may be called in a file: the label of its model, or the id of its route. */
function namesOf(value: string | null, label: string | null): readonly string[] {
  return [...(label === null ? [] : [label]), ...(value?.startsWith('managed:') ? [value.slice('managed:'.length)] : [])]
}
