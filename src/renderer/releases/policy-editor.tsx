import { Checkbox, NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import type { ReleaseRule } from '../../contract/releases/rules.schemas.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars, typedDollars } from '../ui/forms/dollars.ts'
import { checkField } from '../ui/forms/fields.ts'
import { IconButton } from '../ui/forms/icon-button.tsx'
import { IconTrash } from '../ui/pictures/icons.tsx'
import { newRule, type RuleKind, ruleKinds, withParameter } from './policy-form.ts'
import { RuleScope } from './rule-scope.tsx'
import { describeRule, ruleTitles, severityOptions } from './releases-words.ts'

interface PolicyEditorProps {
  readonly rules: readonly ReleaseRule[]
  readonly confidence: number
  /** Keys of the suite's groups. */
  readonly groups: readonly string[]
  readonly onRules: (rules: readonly ReleaseRule[]) => void
  readonly onConfidence: (confidence: number) => void
}

/** Rules of a policy, each as a sentence with its numbers beside it. */
export function PolicyEditor({ rules, confidence, groups, onRules, onConfidence }: PolicyEditorProps) {
  const [typed, setTyped] = useState<number | string>(confidence * 100)
  const isConfidence = isWithin(typed)
  const change = (at: number, rule: ReleaseRule): void => onRules(rules.map((one, i) => (i === at ? rule : one)))
  return (
    <div className="stack">
      <NumberInput
        label="Confidence (%)"
        description="Of every one-sided bound; at 95, a rule passes by luck at most 5 % of the time"
        w={280}
        clampBehavior="none"
        decimalScale={2}
        value={typed}
        error={isConfidence ? undefined : `Enter 60 to 99.99; ${Number((confidence * 100).toFixed(2))} is used`}
        onChange={value => {
          setTyped(value)
          if (isWithin(value)) onConfidence(Number((value / 100).toFixed(4)))
        }}
      />
      <ol className="releases-rules" aria-label="Rules">
        {rules.map((rule, i) => (
          <li key={rule.key}>
            <div className="releases-rule-text">
              <strong>{ruleTitles[rule.kind]}</strong>
              <span>{describeRule(rule, confidence)}</span>
            </div>
            <div className="row">
              <RuleFields rule={rule} onChange={changed => change(i, changed)} />
              <RuleScope rule={rule} groups={groups} onChange={changed => change(i, changed)} />
              <Checkbox
                label="Required"
                {...checkField(rule.required, isChecked => change(i, withParameter(rule, { required: isChecked })))}
              />
              <IconButton
                icon={IconTrash}
                label={`Remove ${ruleTitles[rule.kind].toLowerCase()}`}
                disabled={rules.length === 1}
                onClick={() => onRules(rules.filter((_, at) => at !== i))}
              />
            </div>
          </li>
        ))}
      </ol>
      <Select
        label="Add a rule"
        w={280}
        placeholder="Choose a rule"
        value={null}
        data={ruleKinds.map(kind => ({ value: kind, label: ruleTitles[kind] }))}
        onChange={value => {
          const kind = ruleKinds.find(one => one === value)
          if (kind) onRules([...rules, newRule(kind, rules)])
        }}
      />
    </div>
  )
}

function isWithin(percent: number | string): percent is number {
  return typeof percent === 'number' && percent >= 60 && percent <= 99.99
}

interface NumberField {
  readonly name: string
  readonly label: string
  /** What is typed for each unit of the parameter: 100 for a share in percent. */
  readonly scale: number
}

const share = (name: string, label: string): NumberField => ({ name, label, scale: 100 })
const whole = (name: string, label: string): NumberField => ({ name, label, scale: 1 })

const numberFields: Readonly<Record<RuleKind, readonly NumberField[]>> = {
  min_score: [share('threshold', 'At least (%)')],
  superiority: [share('delta', 'By more than (points)')],
  non_inferiority: [share('margin', 'Margin (points)')],
  no_critical_regression: [whole('max', 'At most'), whole('confirm_epochs', 'New answers')],
  max_error_rate: [share('threshold', 'At most (%)')],
  // Dollars have a field of their own.
  max_cost: [],
  max_latency: [share('quantile', 'Share of answers (%)'), whole('max_ms', 'At most (ms)')],
  judge_calibrated: [whole('min_kappa', 'κ at least'), whole('min_n', 'Labels'), whole('max_age_days', 'Age (days)')],
  min_coverage: [share('share', 'At least (%)')],
  min_labels: [whole('min_n', 'Labels')],
  open_issues: [whole('max', 'At most')],
}

function RuleFields({ rule, onChange }: { readonly rule: ReleaseRule; readonly onChange: (rule: ReleaseRule) => void }) {
  const values: Readonly<Record<string, unknown>> = { ...rule }
  return (
    <>
      {numberFields[rule.kind].map(({ name, label, scale }) => (
        <NumberInput
          key={name}
          label={label}
          w={132}
          error={
            rule.kind === 'min_score' && rule.metric === null && rule.threshold > 1
              ? 'Above 100 %: pass/fail scores can’t reach it'
              : undefined
          }
          value={Number((Number(values[name]) * scale).toFixed(6))}
          onChange={typed => {
            if (typeof typed !== 'number') return
            onChange(withParameter(rule, { [name]: Number((typed / scale).toFixed(9)) }))
          }}
        />
      ))}
      {rule.kind === 'max_cost' ? (
        <CostField
          microUsd={rule.max_microusd_per_task}
          onChange={most => onChange(withParameter(rule, { max_microusd_per_task: most }))}
        />
      ) : null}
      {rule.kind === 'min_coverage' ? (
        <Select
          label="Of"
          w={160}
          value={rule.of}
          data={[
            { value: 'samples', label: 'Samples' },
            { value: 'capabilities', label: 'Capabilities' },
            { value: 'issues', label: 'Critical issues' },
          ]}
          onChange={of => onChange(withParameter(rule, { of }))}
        />
      ) : null}
      {rule.kind === 'open_issues' ? (
        <Select
          label="Severity from"
          w={140}
          value={rule.severity}
          data={severityOptions}
          onChange={severity => onChange(withParameter(rule, { severity }))}
        />
      ) : null}
    </>
  )
}

/** The rule keeps its last amount while what is typed is none, as its sentence shows. */
function CostField({ microUsd, onChange }: { readonly microUsd: string; readonly onChange: (microUsd: string) => void }) {
  const [typed, setTyped] = useState(() => typedDollars(microUsd))
  return (
    <DollarField
      label="At most, per task"
      value={typed}
      onChange={next => {
        setTyped(next)
        const { amount } = readDollars(next)
        if (amount !== null) onChange(amount)
      }}
    />
  )
}
