import { Select } from '@mantine/core'
import { useState } from 'react'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { useConnections, useModelRoutes } from '../connections/models.queries.ts'
import { Money } from '../ui/values/figures.tsx'
import { promptCost, promptTokens } from './prompt-cost.ts'
import type { Selection } from './selection.ts'

/** How much there is to read for a model, and what asking it once would cost by its rates. A suite itself holds no model. */
export function SuiteCost({ selection }: { readonly selection: Selection }) {
  const routes = useModelRoutes()
  const connections = useConnections()
  const [chosen, setChosen] = useState<string | null>(null)
  const priced = [
    ...(connections.data ?? []).flatMap(({ id, name, rates, status }) => (rates && status !== 'disabled' ? [{ id, name, rates }] : [])),
    ...(routes.data ?? []).map(({ route_id: id, title: name, rates }) => ({ id, name, rates })),
  ]
  const tokens = promptTokens(selection)
  const model = priced.find(one => one.id === chosen)
  return (
    <section aria-label="Cost" className="stack" style={{ gap: 8 }}>
      <Select
        label="Cost of one pass"
        placeholder="Choose a model"
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear model' }}
        data={priced.map(({ id, name }) => ({ value: id, label: showHidden(name) }))}
        value={chosen}
        onChange={setChosen}
      />
      <p className="quiet small" style={{ margin: 0 }}>
        About <span className="num">{formatCount(tokens)}</span> {tokens === 1 ? 'token' : 'tokens'} of tasks
        {model ? (
          <>
            : <Money microUsd={promptCost(tokens, model.rates)} />. Instructions and answers come on top; the evaluation checks the exact
            cost before it starts.
          </>
        ) : (
          ', at four characters each.'
        )}
      </p>
    </section>
  )
}
