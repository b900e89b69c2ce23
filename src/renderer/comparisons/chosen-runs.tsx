import { Anchor, Button, Checkbox, Radio, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { checkField, textField } from '../ui/forms/fields.ts'
import { NameField } from '../ui/forms/name-field.tsx'
import { IconButton } from '../ui/forms/icon-button.tsx'
import { IconX } from '../ui/pictures/icons.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useChosenRuns, useCreateComparison } from './compare.queries.ts'
import { Refusal } from './refusal.tsx'
import { mostRuns, type Selection } from './use-selection.ts'

/** What will be compared with what, and under which name. */
export function ChosenRuns({ selection: { ids, named, toggle, makeBaseline } }: { readonly selection: Selection }) {
  const navigate = useNavigate()
  const chosen = useChosenRuns(ids)
  // A pinned one until a person names another.
  const baseline = named ?? chosen.find(({ run }) => (run?.pinned_at ?? null) !== null)?.id ?? ids[0]
  const [only] = chosen
  const create = useCreateComparison()
  const [typed, setTyped] = useState<string | null>(null)
  const [anyPrompts, setAnyPrompts] = useState(false)
  const [dates, setDates] = useState({ from: '', to: '' })
  const name = typed ?? suggestedName(chosen, baseline)
  const ready = ids.length >= 2 && baseline !== undefined && name.trim() !== ''
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!ready) return
    create.mutate(
      {
        name: name.trim(),
        run_ids: [...ids],
        baseline_id: baseline,
        seed: 1,
        options: {
          level: 0.95,
          cluster_by: 'cluster',
          accept_different_prompts: anyPrompts,
          tested_metrics: [],
          ...(dates.from !== '' && { dated_from: dates.from }),
          ...(dates.to !== '' && { dated_to: dates.to }),
        },
      },
      { onSuccess: comparison => void navigate(`/compare/${comparison.id}`) },
    )
  }
  return (
    <form className="compare-chosen" onSubmit={submit} aria-label="Your selection">
      <Radio.Group
        label="Chosen runs"
        description={ids.length === 0 ? 'None yet.' : 'The selected run is the baseline; the others are compared with it.'}
        value={baseline ?? null}
        onChange={makeBaseline}
      >
        <ol>
          {chosen.map(({ id, run, error }) => (
            <li key={id}>
              <Radio value={id} label={<RunLabel run={run} error={error} />} description={id === baseline ? 'baseline' : undefined} />
              <IconButton icon={IconX} iconSize={14} label={`Leave out ${run ? showHidden(run.name) : id}`} onClick={() => toggle(id)} />
            </li>
          ))}
        </ol>
      </Radio.Group>
      <NameField label="Name" value={name} onChange={setTyped} />
      <Checkbox
        label="Allow different prompts"
        description="Off: comparisons across different prompts are refused, because model and prompt effects can’t be separated."
        {...checkField(anyPrompts, setAnyPrompts)}
      />
      <TextInput
        type="date"
        label="Tasks dated from"
        description="Optional, for benchmarks whose tasks are dated."
        {...textField(dates.from, text => setDates({ ...dates, from: text }))}
      />
      <TextInput type="date" label="Tasks dated until" {...textField(dates.to, text => setDates({ ...dates, to: text }))} />
      <Button type="submit" disabled={!ready} loading={create.isPending}>
        Compare
      </Button>
      {ids.length < 2 ? (
        <p className="compare-note">
          Choose at least two runs.
          {only?.run?.quote_id == null ? null : (
            <>
              {' '}
              <Anchor component={Link} to={`/quotes/new?from=${only.run.quote_id}&model=other`} fz="inherit" underline="always">
                Run another model on the same tasks
              </Anchor>
            </>
          )}
        </p>
      ) : null}
      {ids.length >= mostRuns ? <p className="compare-note">A comparison takes at most ten runs.</p> : null}
      {create.error ? <Refusal error={create.error} runName={index => chosen[index]?.run?.name ?? null} /> : null}
    </form>
  )
}

function RunLabel({ run, error }: { readonly run: Run | undefined; readonly error: Error | null }) {
  if (error) return <span>Couldn’t load: {error.message}</span>
  if (!run) return <span className="quiet">…</span>
  return (
    <>
      <UntrustedText text={run.name} layout="prose" />
      <span className="quiet small" style={{ display: 'block' }}>
        <UntrustedText text={run.model.title} layout="prose" />
      </span>
    </>
  )
}

/** `B against A`, with the models' names where each run has another one. */
function suggestedName(chosen: ReturnType<typeof useChosenRuns>, baseline: string | undefined): string {
  const titleOf = (run: Run | undefined): string => run?.model.title ?? '…'
  const base = chosen.find(one => one.id === baseline)
  const others = chosen.filter(one => one.id !== baseline)
  if (!base || others.length === 0) return ''
  const names = [base, ...others].map(one => titleOf(one.run))
  const distinct = new Set(names).size === names.length
  const [first, ...rest] = distinct ? names : [base, ...others].map(one => one.run?.name ?? '…')
  return [...`${rest.join(', ')} against ${first ?? ''}`].slice(0, 200).join('')
}
