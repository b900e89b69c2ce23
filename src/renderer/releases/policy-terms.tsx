import { Checkbox, NumberInput, Select } from '@mantine/core'
import type { NewReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import { checkField } from '../ui/forms/fields.ts'

/** What a policy says beside its rules. */
export type PolicyTerms = Pick<NewReleasePolicy, 'looks' | 'repeat' | 'human'>

export const usualTerms: PolicyTerms = {
  looks: 1,
  repeat: 'record',
  human: { required: true, approvals: 1, not_author: false, override: 'inconclusive' },
}

const overrides = [
  { value: 'never', label: 'Never' },
  { value: 'inconclusive', label: 'When inconclusive' },
  { value: 'any', label: 'Always, with a reason' },
] as const

const repeats = [
  { value: 'record', label: 'Allowed, attempt is recorded' },
  { value: 'spend', label: 'Allowed, each attempt is stricter' },
  { value: 'refuse', label: 'Refused' },
] as const

export function PolicyTermsFields({ terms, onChange }: { readonly terms: PolicyTerms; readonly onChange: (terms: PolicyTerms) => void }) {
  const { human } = terms
  const changeHuman = (part: Partial<PolicyTerms['human']>) => onChange({ ...terms, human: { ...human, ...part } })
  return (
    <div className="stack">
      <Checkbox
        label="A person decides"
        description="Otherwise the recommendation is the outcome"
        {...checkField(human.required, isChecked => changeHuman({ required: isChecked }))}
      />
      {human.required ? (
        <>
          <div className="row" style={{ alignItems: 'end' }}>
            <NumberInput
              label="Approvals needed"
              w={160}
              min={1}
              max={20}
              allowDecimal={false}
              value={human.approvals}
              onChange={approvals => {
                if (typeof approvals === 'number' && approvals >= 1 && approvals <= 20) changeHuman({ approvals })
              }}
            />
            <Select
              label="Deciding against the recommendation"
              w={280}
              value={human.override}
              data={[...overrides]}
              onChange={value => changeHuman({ override: overrides.find(one => one.value === value)?.value ?? 'never' })}
            />
          </div>
          <Checkbox
            label="Not the author"
            description="Whoever created the decision, or made the key that did, may not decide it"
            {...checkField(human.not_author, isChecked => changeHuman({ not_author: isChecked }))}
          />
        </>
      ) : null}
      <div className="row" style={{ alignItems: 'end' }}>
        <NumberInput
          label="Looks"
          description="Analyses on growing parts of the tasks; above 1, a clear result ends it early"
          w={280}
          min={1}
          max={5}
          allowDecimal={false}
          value={terms.looks}
          onChange={looks => {
            if (typeof looks === 'number' && looks >= 1 && looks <= 5) onChange({ ...terms, looks })
          }}
        />
        <Select
          label="Repeating a decision"
          w={280}
          value={terms.repeat}
          data={[...repeats]}
          onChange={value => onChange({ ...terms, repeat: repeats.find(one => one.value === value)?.value ?? 'record' })}
        />
      </div>
    </div>
  )
}
