import { Button, NumberInput, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { evaluatorVersionsQuery } from '../evaluators/evaluators.queries.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { FormActions } from '../ui/forms/form-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { BaselineField } from './baseline-field.tsx'
import { billedRules } from './group-terms.ts'
import { monitorOf, type TypedMonitor } from './monitor-terms.ts'
import { useCreateMonitor } from './tuning.queries.ts'

const schedules = [
  { value: 'none', label: 'No schedule' },
  { value: 'hour', label: 'Every hour' },
  { value: 'day', label: 'Every day' },
  { value: 'week', label: 'Every week' },
] as const
const options = { withScrollArea: false, styles: { options: { maxHeight: 320, overflowY: 'auto' } } } as const

interface MonitorFormProps {
  /** The form as it opens. */
  readonly first: TypedMonitor
  /** Whose result is monitored; null: a run's. */
  readonly session: TuneSession | null
}

export function MonitorForm({ first, session }: MonitorFormProps) {
  const navigate = useNavigate()
  const evaluators = useQuery(evaluatorVersionsQuery)
  const create = useCreateMonitor()
  const [typed, setTyped] = useState(first)
  const [missing, setMissing] = useState<string | null>(null)
  const change = (part: Partial<TypedMonitor>) => setTyped({ ...typed, ...part })
  const number = (name: 'points' | 'percent' | 'tolerancePoints' | 'falseAlarmEvery') => ({
    value: typed[name] ?? '',
    onChange: (value: number | string) => change({ [name]: typeof value === 'number' ? value : null }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = monitorOf(typed)
    if (typeof body === 'string') return setMissing(body)
    setMissing(null)
    create.mutate(body, { onSuccess: ({ id }) => void navigate(`/tuning/monitors/${id}`) })
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <TextInput label="Name" required {...textField(typed.name, text => change({ name: text }))} maxLength={200} />
      <BaselineField session={session} value={typed.baseline} onChange={change} />
      <div className="tuning-fields">
        <NumberInput
          label="Acceptable loss (points)"
          description="A smaller one is OK"
          min={0.1}
          max={99}
          decimalScale={2}
          {...number('points')}
        />
        <NumberInput
          label="Confidence (%)"
          description="Of the difference’s interval"
          min={80}
          max={99.9}
          decimalScale={2}
          {...number('percent')}
        />
        <Select
          {...options}
          label="Schedule"
          description="From now, in UTC"
          data={[...schedules]}
          value={typed.schedule}
          onChange={value => change({ schedule: schedules.find(one => one.value === value)?.value ?? 'none' })}
        />
      </div>
      <Select
        {...options}
        label="Evaluator of new outputs"
        description="Without one the monitor runs the benchmark only."
        searchable
        clearable
        data={(evaluators.data ?? []).map(({ id, name: title, version }) => ({ value: id, label: `${title}, version ${version}` }))}
        value={typed.evaluatorId}
        onChange={evaluatorId => change({ evaluatorId })}
      />
      {typed.evaluatorId === null ? null : (
        <div className="tuning-fields">
          <NumberInput
            label="Tolerance (points)"
            description="Below the baseline’s lower bound"
            min={0}
            max={50}
            decimalScale={2}
            {...number('tolerancePoints')}
          />
          <NumberInput
            label="Outputs between false alarms"
            description="On average, at least"
            min={100}
            max={100_000_000}
            allowDecimal={false}
            thousandSeparator=","
            {...number('falseAlarmEvery')}
          />
        </div>
      )}
      <div className="tuning-fields">
        <DollarField label="Limit per check" description="Charged to the wallet" value={typed.once} onChange={once => change({ once })} />
        <DollarField
          label="Limit per month"
          description="All checks, provider costs included, UTC month"
          value={typed.monthly}
          onChange={monthly => change({ monthly })}
        />
        <DollarField
          label="Provider cost per check"
          description="At most, billed by providers"
          rules={billedRules}
          value={typed.billed}
          onChange={billed => change({ billed })}
        />
      </div>
      {missing === null ? null : <output className="quotes-error">{missing}</output>}
      {create.isError ? <ErrorState error={create.error} title="Couldn’t create the monitor" /> : null}
      <FormActions>
        <Button type="submit" loading={create.isPending}>
          Create monitor
        </Button>
      </FormActions>
    </form>
  )
}
