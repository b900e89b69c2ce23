import './tuning.css'
import { Button, Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { microUsdOf } from '../evaluators/spending-limit.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useCreateMonitor, useEndedRuns, useEvaluatorVersions } from './tuning.queries.ts'

const schedules = [
  { value: 'none', label: 'No schedule' },
  { value: 'hour', label: 'Every hour' },
  { value: 'day', label: 'Every day' },
  { value: 'week', label: 'Every week' },
] as const
const options = { withScrollArea: false, styles: { options: { maxHeight: 320, overflowY: 'auto' } } } as const

export function NewMonitorPage() {
  const navigate = useNavigate()
  const runs = useEndedRuns()
  const evaluators = useEvaluatorVersions()
  const create = useCreateMonitor()
  const [name, setName] = useState('')
  const [runId, setRunId] = useState<string | null>(null)
  const [evaluatorId, setEvaluatorId] = useState<string | null>(null)
  const [schedule, setSchedule] = useState<string>('none')
  const [once, setOnce] = useState('0')
  const [monthly, setMonthly] = useState('0')
  const [missing, setMissing] = useState<string | null>(null)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const run = runs.data?.find(({ id }) => id === runId)
    const profile = run?.profiles[0]
    const [each, month] = [microUsdOf(once), microUsdOf(monthly)]
    if (name.trim() === '') return setMissing('Enter a name.')
    if (!run || !profile) return setMissing('Choose the run that is the baseline.')
    if (each === false || month === false) return setMissing('Enter spending limits in dollars, e.g. 0.50.')
    setMissing(null)
    const chosen = schedules.find(({ value }) => value === schedule)?.value ?? 'none'
    create.mutate(
      {
        name: name.trim(),
        profile_id: profile.profile_id,
        baseline: { run_id: run.id },
        max_charge_microusd: each ?? '0',
        max_monthly_microusd: month ?? '0',
        ...(chosen !== 'none' && { schedule: chosen }),
        ...(evaluatorId !== null && { evaluator_version_id: evaluatorId }),
      },
      { onSuccess: ({ id }) => void navigate(`/tuning/monitors/${id}`) },
    )
  }
  return (
    <Page layout="narrow">
      <PageHeader
        title="New monitor"
        parent={{ title: 'Monitors', to: '/tuning/monitors' }}
        description="Reruns a benchmark and compares it, case by case, with an earlier run."
        actions={<RequestMenu operation="listTuneMonitors" request={{ query: {} }} />}
      />
      <form className="stack" onSubmit={submit}>
        <TextInput label="Name" required value={name} onChange={event => setName(event.currentTarget.value)} maxLength={200} />
        {runs.isError ? (
          <ErrorState error={runs.error} title="Couldn't load runs" onRetry={() => void runs.refetch()} />
        ) : (
          <Select
            {...options}
            label="Baseline run"
            description="Its model is called again on its benchmark."
            searchable
            required
            nothingFoundMessage="No ended runs."
            data={(runs.data ?? []).map(({ id, name: title, model }) => ({ value: id, label: `${title} (${model.title})` }))}
            value={runId}
            onChange={setRunId}
          />
        )}
        <Select
          {...options}
          label="Evaluator of new outputs"
          description="Without one the monitor runs the benchmark only."
          searchable
          clearable
          data={(evaluators.data ?? []).map(({ id, name: title, version }) => ({ value: id, label: `${title}, version ${version}` }))}
          value={evaluatorId}
          onChange={setEvaluatorId}
        />
        <Select {...options} label="Schedule" data={[...schedules]} value={schedule} onChange={value => setSchedule(value ?? 'none')} />
        <TextInput label="Spending limit of one check (USD)" value={once} onChange={event => setOnce(event.currentTarget.value)} />
        <TextInput label="Spending limit of a month (USD)" value={monthly} onChange={event => setMonthly(event.currentTarget.value)} />
        {missing === null ? null : <output className="quotes-note">{missing}</output>}
        {create.isError ? <ErrorState error={create.error} title="Couldn't create the monitor" /> : null}
        <div className="row">
          <Button type="submit" loading={create.isPending}>
            Create monitor
          </Button>
        </div>
      </form>
    </Page>
  )
}
