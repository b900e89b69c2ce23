import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReleaseRule } from '../../contract/releases/rules.schemas.ts'
import { textField } from '../ui/forms/fields.ts'
import { external, grouped, scored, tested, withParameter } from './policy-form.ts'

interface RuleScopeProps {
  readonly rule: ReleaseRule
  /** Keys of the suite's groups. */
  readonly groups: readonly string[]
  readonly onChange: (rule: ReleaseRule) => void
}

/** What a rule looks at and how it is tested; folded, because most rules keep the defaults. */
export function RuleScope({ rule, groups, onChange }: RuleScopeProps) {
  const { kind } = rule
  const [anyOf, setAnyOf] = useState(rule.any_of ?? '')
  if (!grouped.includes(kind)) return null
  return (
    <details className="releases-rule-scope">
      <summary>Scope and basis</summary>
      <div className="row">
        {groups.length > 1 || rule.group !== null ? (
          <Select
            label="Group"
            placeholder="Whole suite"
            w={200}
            clearable
            value={rule.group}
            data={[...new Set([...groups, ...(rule.group === null ? [] : [rule.group])])]}
            onChange={group => onChange(withParameter(rule, { group }))}
          />
        ) : null}
        {scored.includes(kind) ? (
          <TextInput
            label="Metric"
            placeholder="primary"
            w={150}
            defaultValue={rule.metric ?? ''}
            onBlur={event => onChange(withParameter(rule, { metric: event.currentTarget.value.trim() || null }))}
          />
        ) : null}
        {tested.includes(kind) ? (
          <Select
            label="Basis"
            w={210}
            value={rule.basis}
            data={[
              { value: 'bound', label: 'Confidence bound' },
              { value: 'point', label: 'Estimate alone' },
            ]}
            onChange={basis => onChange(withParameter({ ...rule, any_of: undefined }, { basis }))}
          />
        ) : null}
        {external.includes(kind) ? (
          <Select
            label="Source"
            w={170}
            value={rule.source}
            data={[
              { value: 'runs', label: 'Evaluations' },
              { value: 'external', label: 'Imported evidence' },
            ]}
            onChange={source => onChange(withParameter(rule, { source }))}
          />
        ) : null}
        {tested.includes(kind) && rule.basis === 'bound' ? (
          <TextInput
            label="At least one of"
            placeholder="name of the set"
            w={150}
            {...textField(anyOf, setAnyOf)}
            onBlur={() => onChange(withParameter(rule, { any_of: anyOf.trim() || undefined }))}
          />
        ) : null}
      </div>
    </details>
  )
}
