import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { ModelRoute, Rates } from '../../contract/catalog/models.schemas.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars, typedDollars } from '../ui/forms/dollars.ts'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { useSetLocalRates } from './models.queries.ts'

/** What the owner has a model of this machine cost. At 0 it is free. */
export function LocalRatesForm({ route }: { readonly route: ModelRoute }) {
  const [input, setInput] = useState(typedDollars(route.rates.input_microusd_per_million))
  const [output, setOutput] = useState(typedDollars(route.rates.output_microusd_per_million))
  const save = useSetLocalRates()
  const rates = ratesOf(route.rates, input, output)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (rates === null) return
    const isFree = rates.input_microusd_per_million === '0' && rates.output_microusd_per_million === '0'
    save.mutate(
      { route_id: route.route_id, rates: isFree ? null : rates },
      {
        onSuccess: () => notifyDone(isFree ? 'The route is free.' : 'Rates saved. New quotes use them.'),
        onError: error => notifyFailed('Couldn’t save the rates', error),
      },
    )
  }
  return (
    <form className="stack" style={{ gap: 12 }} onSubmit={submit} aria-label="Rates">
      <p className="prose" style={{ margin: 0 }}>
        Runs on this route charge the wallet at these rates.
      </p>
      <div className="row" style={{ alignItems: 'flex-start' }}>
        <DollarField label="Input, per million tokens" value={input} onChange={setInput} />
        <DollarField label="Output, per million tokens" value={output} onChange={setOutput} />
        <Button type="submit" variant="default" disabled={rates === null} loading={save.isPending}>
          Save rates
        </Button>
      </div>
    </form>
  )
}

/** Null while a field holds no amount. Rates of kinds of tokens stay as they are. */
function ratesOf(before: Rates, input: string, output: string): Rates | null {
  const [inRate, outRate] = [readDollars(input).amount, readDollars(output).amount]
  return inRate === null || outRate === null
    ? null
    : { ...before, input_microusd_per_million: inRate, output_microusd_per_million: outRate }
}
