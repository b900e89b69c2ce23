import { Button, NumberInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Run, RunActivity } from '../../contract/runs/runs.schemas.ts'
import { wholeOrNull } from '../quotes/number-value.ts'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { useChangeRun } from './run-changes.queries.ts'

/** The contract's bound on what a run may ask for. */
const MOST = 1024

/** How many calls at a time the run may make, changed while it runs. Empty: as many as the endpoint allows. */
export function ConcurrencyField({ run, activity }: { readonly run: Run; readonly activity: RunActivity }) {
  const [typed, setTyped] = useState<{ readonly value: number | null } | null>(null)
  const change = useChangeRun(run.id)
  const value = typed ? typed.value : activity.concurrency
  const set = (concurrency: number | null): void =>
    change.mutate(
      { concurrency },
      {
        onSuccess: () => {
          setTyped(null)
          notifyDone(
            concurrency === null
              ? 'The run makes as many calls at a time as the endpoint allows.'
              : `At most ${concurrency} calls at a time.`,
          )
        },
        onError: error => notifyFailed('The concurrency was not changed', error),
      },
    )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    set(value)
  }
  return (
    <form className="runs-concurrency-form" onSubmit={submit}>
      <NumberInput
        label="Max concurrency"
        w={200}
        min={1}
        max={MOST}
        allowDecimal={false}
        clampBehavior="strict"
        placeholder="as the endpoint allows"
        value={value ?? ''}
        onChange={next => setTyped({ value: wholeOrNull(next) })}
      />
      <Button type="submit" variant="default" loading={change.isPending} disabled={value === activity.concurrency}>
        Set
      </Button>
      <Button variant="subtle" disabled={activity.concurrency === null || change.isPending} onClick={() => set(null)}>
        As many as the endpoint allows
      </Button>
    </form>
  )
}
