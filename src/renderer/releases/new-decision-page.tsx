import './releases.css'
import { Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { ReleaseRule } from '../../contract/index.ts'
import { ModelField } from '../quotes/model-field.tsx'
import { useModelChoice } from '../quotes/use-model-choice.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars } from '../ui/forms/dollars.ts'
import { FormActions } from '../ui/forms/form-actions.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { EvidenceChoice, type EvidenceDraft, noEvidence } from './evidence-choice.tsx'
import { usePlanDecision } from './plan-decision.ts'
import { PolicyEditor } from './policy-editor.tsx'
import { paired, usualRules } from './policy-form.ts'
import { type PolicyTerms, PolicyTermsFields, usualTerms } from './policy-terms.tsx'
import { usePolicies } from './releases.queries.ts'
import { describeRule } from './releases-words.ts'
import { noSuite, SuiteChoice, type SuiteDraft } from './suite-choice.tsx'

/** From a model and a suite to a planned decision, on one page. */
export function NewDecisionPage() {
  const navigate = useNavigate()
  const models = useModelChoice()
  const policies = usePolicies()
  const plan = usePlanDecision()
  const [suite, setSuite] = useState<SuiteDraft>(noSuite)
  const [policyWay, setPolicyWay] = useState<'new' | 'policy'>('new')
  const [policyId, setPolicyId] = useState<string | null>(null)
  const [rules, setRules] = useState<readonly ReleaseRule[]>(usualRules)
  const [confidence, setConfidence] = useState(0.95)
  const [terms, setTerms] = useState<PolicyTerms>(usualTerms)
  const [candidate, setCandidate] = useState<string | null>(null)
  const [baseline, setBaseline] = useState<string | null>(null)
  const [evidence, setEvidence] = useState<EvidenceDraft>(noEvidence)
  const [cap, setCap] = useState('0')
  const [typedName, setTypedName] = useState<string | null>(null)
  const labelOf = (value: string | null) => models.options?.find(option => option.value === value)?.label ?? null
  const saved = policies.data?.find(({ id }) => id === policyId)
  const asked = policyWay === 'policy' ? (saved?.rules ?? []) : rules
  const needsBaseline = asked.some(({ kind }) => paired.includes(kind))
  const { amount } = readDollars(cap)
  const label = labelOf(candidate)
  const name = typedName ?? (label === null ? '' : `Release of ${label}`.slice(0, 200))
  const hasSuite = suite.way === 'suite' ? suite.suiteId !== null : suite.slug !== null
  const hasPolicy = policyWay === 'policy' ? policyId !== null : rules.length > 0
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
      { onSuccess: ({ id }) => void navigate(`/releases/${id}`) },
    )
  }
  return (
    <Page>
      <PageHeader
        title="New decision"
        parent={{ title: 'Releases', to: '/releases' }}
        description="The plan is frozen before the first result is known, so tasks and rules can’t be chosen by their results."
      />
      <form className="stack releases-form" onSubmit={submit} noValidate>
        <Section title="1. Suite">
          <SuiteChoice draft={suite} onChange={setSuite} />
        </Section>
        <Section title="2. Policy">
          <SegmentedControl
            aria-label="Policy"
            style={{ alignSelf: 'start' }}
            value={policyWay}
            onChange={way => setPolicyWay(way === 'policy' ? 'policy' : 'new')}
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
                onChange={setPolicyId}
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
              <PolicyEditor rules={rules} confidence={confidence} onRules={setRules} onConfidence={setConfidence} />
              <PolicyTermsFields terms={terms} onChange={setTerms} />
            </>
          )}
        </Section>
        <Section title="3. Candidate">
          <ModelField choice={models} value={candidate} error={undefined} onChange={setCandidate} />
        </Section>
        <Section title={needsBaseline ? '4. Baseline' : '4. Baseline (optional)'}>
          <ModelField choice={models} value={baseline} error={undefined} onChange={setBaseline} />
          {baseline !== null && baseline === candidate ? (
            <Notice tone="warn" title="Candidate and baseline are the same model">
              A difference would only show how much its answers vary.
            </Notice>
          ) : null}
        </Section>
        <EvidenceChoice draft={evidence} hasBaseline={baseline !== null} onChange={setEvidence} />
        <Section title="5. Spending limit and name">
          <DollarField
            label="Spending limit"
            description="For all evaluations of the decision together. Connections are billed by their provider."
            value={cap}
            onChange={setCap}
          />
          <TextInput label="Name" maw={480} maxLength={200} value={name} onChange={event => setTypedName(event.currentTarget.value)} />
        </Section>
        {plan.isError ? <ErrorState error={plan.error} title="Couldn’t plan the decision" /> : null}
        <FormActions>
          <Button type="submit" loading={plan.isPending} disabled={missing.length > 0}>
            Plan decision
          </Button>
          <Button component={Link} to="/releases" variant="default">
            Cancel
          </Button>
          {missing.length > 0 ? <span className="quiet">Still missing: {missing.join(', ')}</span> : null}
        </FormActions>
      </form>
    </Page>
  )
}
