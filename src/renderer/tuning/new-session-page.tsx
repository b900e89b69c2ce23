import './tuning.css'
import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { mostCases } from '../../contract/tuning/draft.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { useConnections, useModelRoutes } from '../connections/models.queries.ts'
import { RunSelect } from '../runs/run-select.tsx'
import { runQuery } from '../runs/runs.queries.ts'
import { ModelField } from '../quotes/model-field.tsx'
import { useModelChoice } from '../quotes/use-model-choice.ts'
import { FormActions } from '../ui/forms/form-actions.tsx'
import { textField } from '../ui/forms/fields.ts'
import { SearchSelect } from '../ui/forms/search-select.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { callOf, choiceByName, defaultTemplate } from './new-call.ts'
import { readSnippet } from './read-snippet.ts'
import { beginFrom, type Begun, findBeginnings } from './session-beginnings.ts'
import { SnippetField } from './snippet-field.tsx'
import { useCreateSession } from './tuning.queries.ts'
import { modelOf } from '../quotes/model-value.ts'

const ways = ['code', 'trace', 'dataset', 'run'] as const
const wayWords = { code: 'Code', trace: 'Trace', dataset: 'Dataset', run: 'Run' } as const

/** A better call is looked for as well as a cheaper one, at no more than today's price. */
const objective = { better_price_factor: 1 } as const

const sourceWords = {
  trace: 'Its input becomes the first case.',
  dataset: 'Its cases are copied with their origins.',
  run: 'Its model, prompt, settings and grader, and a case for each of its tasks, are copied.',
} as const

function nameOfRun(run: string | undefined): string {
  return run === undefined ? '' : `Tune ${run}`.slice(0, 200)
}

/** Begins a session from what there is: a snippet, a trace, a dataset version or a run. */
export function NewSessionPage() {
  const navigate = useNavigate()
  const { get, set } = useAddress()
  const way = oneOf(get('way'), ways) ?? 'code'
  const choice = useModelChoice()
  const create = useCreateSession()
  const [typedName, setName] = useState<string | null>(null)
  const [snippet, setSnippet] = useState('')
  const connections = useConnections()
  const routes = useModelRoutes()
  const found = useMemo(() => readSnippet(way === 'code' ? snippet : ''), [way, snippet])
  const models = connections.data && routes.data ? { connections: connections.data, routes: routes.data } : null
  const named = found.model === null || models === null ? null : choiceByName(found.model, models.connections, models.routes)
  // What a person typed or chose stays; the code fills in the rest.
  const [edited, setEdited] = useState<Partial<{ model: string | null; template: string; system: string }>>({})
  const model = edited.model === undefined ? named : edited.model
  const template = edited.template ?? found.promptTemplate ?? defaultTemplate
  const system = edited.system ?? found.systemPrompt ?? ''
  const [source, setSource] = useState<string | null>(get('run') || null)
  const run = useQuery({ ...runQuery(source ?? ''), enabled: way === 'run' && source !== null }).data
  const [missing, setMissing] = useState<string | null>(null)
  const [loading, setLoading] = useState(false)
  const [failure, setFailure] = useState<Error | null>(null)
  const title = typedName ?? (way === 'run' ? nameOfRun(run?.name) : '')

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() === '') return setMissing('Enter a name.')
    if (way === 'run') return beginFromRun()
    const chosen = model === null ? null : modelOf(model)
    if (chosen === null) return setMissing('Choose the model that you call today.')
    if (!template.includes('{input}')) return setMissing('The prompt template must contain {input}.')
    if (way !== 'code' && source === null) return setMissing(`Choose a ${wayWords[way].toLowerCase()}.`)
    setMissing(null)
    setFailure(null)
    setLoading(true)
    try {
      const { cases, systemPrompt }: Begun =
        way === 'code' || source === null ? { cases: [], systemPrompt: null } : await beginFrom(way, source)
      const call = callOf(
        chosen,
        way === 'code' ? { kind: 'code', snippet } : way === 'trace' && source ? { kind: 'trace', trace_id: source } : { kind: 'manual' },
        { template, systemPrompt: system === '' ? systemPrompt : system, settings: found },
      )
      const session = await create.mutateAsync({ name: title.trim(), call, cases, objective })
      void navigate(`/tuning/${session.id}`)
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setLoading(false)
    }
  }
  const beginFromRun = () => {
    if (source === null) return setMissing('Choose a run.')
    setMissing(null)
    create.mutate(
      { name: title.trim(), from_run: { run_id: source }, objective },
      { onSuccess: ({ id }) => void navigate(`/tuning/${id}`) },
    )
  }
  return (
    <Page layout="narrow">
      <PageHeader
        title="New tuning session"
        parent={{ title: 'Tuning', to: '/tuning' }}
        description="Describe your current call. Everything can be edited before approval."
        actions={<RequestMenu operation="createTuneSession" request={{ body: { name: title || 'Session' } }} />}
      />
      <form className="stack" onSubmit={event => void submit(event)}>
        <SegmentedControl
          aria-label="Begin from"
          data={ways.map(value => ({ value, label: `From ${value === 'code' ? 'code' : `a ${value}`}` }))}
          value={way}
          onChange={value => {
            set({ way: value })
            setSource(null)
          }}
        />
        <TextInput label="Name" required {...textField(title, setName)} maxLength={200} />
        {way === 'code' ? (
          <SnippetField
            value={snippet}
            found={found}
            isKnownModel={models === null || found.model === null ? null : named !== null}
            onChange={setSnippet}
          />
        ) : way === 'run' ? (
          <RunSelect
            label={wayWords.run}
            description={sourceWords.run}
            detail={({ progress }) => `${formatCount(Math.min(mostCases, progress.scored))} cases`}
            value={source}
            onChange={setSource}
          />
        ) : (
          <SearchSelect
            key={way}
            label={wayWords[way]}
            description={sourceWords[way]}
            plural={`${way}s`}
            findKey={['tuning', 'beginnings', way]}
            find={(q, signal) => findBeginnings(way, q, signal)}
            value={source}
            onChange={setSource}
          />
        )}
        {way === 'run' ? null : (
          <Section title="Current call">
            <ModelField
              choice={choice}
              value={model}
              error={undefined}
              onChange={value => setEdited(before => ({ ...before, model: value }))}
            />
            <Textarea
              label="System prompt"
              placeholder={way === 'trace' ? 'Of the trace’s call' : 'None'}
              autosize
              minRows={1}
              maxRows={10}
              value={system}
              onChange={event => {
                const { value } = event.currentTarget
                setEdited(before => ({ ...before, system: value }))
              }}
            />
            <Textarea
              label="Prompt template"
              description="{input} is replaced by the input of each case."
              autosize
              minRows={2}
              maxRows={12}
              value={template}
              onChange={event => {
                const { value } = event.currentTarget
                setEdited(before => ({ ...before, template: value }))
              }}
            />
          </Section>
        )}
        {create.isError && failure === null ? <ErrorState error={create.error} title="Couldn’t create the session" /> : null}
        {missing === null ? null : <output className="quotes-note">{missing}</output>}
        {failure ? <ErrorState error={failure} title="Couldn’t create the session" /> : null}
        <FormActions>
          <Button type="submit" loading={loading || create.isPending}>
            Create draft
          </Button>
        </FormActions>
      </form>
    </Page>
  )
}
