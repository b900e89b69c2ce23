import { Autocomplete, Select, TextInput } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import type { ModelChoice, Quote } from '../../contract/quotes/quotes.schemas.ts'
import type { NewSchedule } from '../../contract/schedules/schedules.schemas.ts'
import { benchmarkName, measuredName } from '../../lib/format/benchmark-names.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars } from '../ui/forms/dollars.ts'
import { FormActions } from '../ui/forms/form-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { usualCalendars } from './schedule-words.ts'
import { sourceQuery, useCreateSchedule } from './schedules.queries.ts'

const parent = { title: 'Schedules', to: '/schedules' }

/** A calendar for what was run before: `?quotes=` names the quotes of a run or of a group's runs. */
export function NewSchedulePage() {
  const { get } = useAddress()
  const ids = (get('quotes') ?? '').split(',').filter(id => id !== '')
  const queries = useQueries({ queries: ids.map(sourceQuery) })
  const failed = queries.find(({ error }) => error !== null)?.error
  const quotes = queries.flatMap(({ data }) => data ?? [])
  const [first] = quotes
  return (
    <Page layout="narrow">
      <PageHeader
        title="New schedule"
        parent={parent}
        description="The same models, benchmarks, tasks and settings as the run, again by a calendar."
      />
      {failed ? <ErrorState error={failed} title="Couldn’t load what was run" /> : null}
      {ids.length === 0 ? (
        <EmptyState title="No run chosen">Open a run and choose “Run on a schedule…” in its menu.</EmptyState>
      ) : first && quotes.length === ids.length ? (
        <ScheduleForm quotes={quotes} first={first} />
      ) : failed ? null : (
        <LinesSkeleton lines={6} />
      )}
    </Page>
  )
}

function ScheduleForm({ quotes, first }: { readonly quotes: readonly Quote[]; readonly first: Quote }) {
  const navigate = useNavigate()
  const create = useCreateSchedule()
  const [name, setName] = useState(`${measuredName(first)}, again`.slice(0, 200))
  const [calendar, setCalendar] = useState<string>(usualCalendars[0].label)
  const [zone, setZone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone)
  const [monthly, setMonthly] = useState('')
  const { amount, error } = readDollars(monthly)
  const models = quotes.flatMap(quote => modelOf(quote) ?? [])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (amount === null) return
    const cron = usualCalendars.find(({ label }) => label === calendar)?.value ?? calendar.trim()
    const body: NewSchedule = {
      name: name.trim(),
      cron,
      time_zone: zone,
      terms: termsOf(quotes, first, models),
      max_monthly_microusd: amount,
    }
    create.mutate(body, { onSuccess: ({ id }) => void navigate(`/schedules/${id}`) })
  }
  const blocked =
    models.length < quotes.length
      ? 'Imported answers can’t be run again.'
      : first.coverage.mode === 'exact'
        ? 'Exact tasks run as evaluations, which have no schedules.'
        : name.trim() === ''
          ? 'Enter a name.'
          : calendar.trim() === ''
            ? 'Choose a calendar.'
            : amount === null
              ? (error ?? 'Enter a monthly limit.')
              : null
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <KeyValues
        items={{
          Models: <UntrustedText text={quotes.map(({ model }) => model.title).join(', ')} layout="prose" />,
          Benchmarks: <UntrustedText text={benchmarkName(first.profiles)} layout="prose" />,
          'Calls each time': formatCount(quotes.reduce((sum, { counts }) => sum + counts.model_calls, 0)),
        }}
      />
      <TextInput label="Name" required maxLength={200} {...textField(name, setName)} />
      <Autocomplete
        label="Calendar"
        description="Or five fields of cron, such as 30 6 * * mon-fri"
        required
        data={usualCalendars.map(({ label }) => label)}
        filter={({ options }) => options}
        value={calendar}
        onChange={setCalendar}
      />
      <Select
        label="Time zone"
        searchable
        data={['UTC', ...Intl.supportedValuesOf('timeZone').filter(one => one !== 'UTC')]}
        value={zone}
        onChange={value => setZone(value ?? 'UTC')}
        limit={50}
      />
      <DollarField
        label="Monthly limit"
        description="All runs of a UTC month, provider bills included; it pauses before the limit"
        value={monthly}
        onChange={setMonthly}
      />
      {create.error ? <ErrorState error={create.error} title="The schedule was not created" /> : null}
      <FormActions>
        <ReasonedButton type="submit" blocked={blocked} loading={create.isPending}>
          Create schedule
        </ReasonedButton>
        {blocked === null ? null : <span className="quiet">{blocked}</span>}
      </FormActions>
    </form>
  )
}

/** Null for answers that were imported. */
function modelOf({ model: { kind, route_id, connection_id } }: Quote): ModelChoice | null {
  if (kind === 'managed' && route_id !== null) return { kind, route_id }
  return kind === 'connection' && connection_id !== null ? { kind, connection_id } : null
}

function termsOf(quotes: readonly Quote[], { profiles, coverage, execution }: Quote, models: ModelChoice[]): NewSchedule['terms'] {
  const charge = quotes.reduce((sum, { cost }) => sum + BigInt(cost.max_charge_microusd), 0n)
  return {
    models,
    selection: { profile_ids: profiles.map(({ profile_id: id }) => id) },
    coverage:
      coverage.mode === 'sample' && coverage.sample_count !== null
        ? { mode: 'sample', sample_count: coverage.sample_count, seed: coverage.seed ?? 1 }
        : { mode: 'full' },
    max_charge_microusd: String(charge),
    execution,
  }
}
