import { Button, MultiSelect, NumberInput, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { RecommendationRequest } from '../../contract/recommendations/recommendations.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { useConnections, useModelRoutes } from '../connections/models.queries.ts'
import { wholeOrNull } from '../quotes/number-value.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars, typedDollars } from '../ui/forms/dollars.ts'
import { textField } from '../ui/forms/fields.ts'

interface RecommendationFormProps {
  readonly asked: RecommendationRequest | null
  readonly busy: boolean
  readonly onAsk: (request: RecommendationRequest) => void
}

const mostTasks = 1000
const shortest = 3
const budgetRules = { empty: 'None' } as const

export function RecommendationForm({ asked, busy, onAsk }: RecommendationFormProps) {
  const routes = useModelRoutes()
  const connections = useConnections()
  const [objective, setObjective] = useState(asked?.objective ?? '')
  const [models, setModels] = useState((asked?.models ?? []).map(idOf))
  const [limit, setLimit] = useState<number | null>(asked?.task_limit ?? 50)
  const [budget, setBudget] = useState(asked?.budget_microusd === undefined ? '' : typedDollars(asked.budget_microusd))
  const { amount, error: budgetError } = readDollars(budget, budgetRules)
  const ready = objective.trim().length >= shortest && limit !== null && limit >= 1 && limit <= mostTasks && budgetError === null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!ready) return
    onAsk({ objective: objective.trim(), models, task_limit: limit, ...(amount === null ? {} : { budget_microusd: amount }) })
  }
  return (
    <form className="stack" style={{ gap: 12 }} onSubmit={submit} aria-label="What should I run?">
      <Textarea
        label="What do you want to find out?"
        placeholder="Can it follow instructions about format in several languages?"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={2000}
        {...textField(objective, setObjective)}
      />
      <div className="recommendation-question">
        <NumberInput
          label="Tasks at most"
          min={1}
          max={mostTasks}
          allowDecimal={false}
          thousandSeparator=","
          value={limit ?? ''}
          error={limit !== null && limit >= 1 && limit <= mostTasks ? undefined : '1 to 1,000'}
          onChange={value => setLimit(wholeOrNull(value))}
        />
        <DollarField label="Budget, for guidance" rules={budgetRules} value={budget} onChange={setBudget} />
        <MultiSelect
          label="Models to evaluate"
          description="Their own past results are not used."
          placeholder={models.length === 0 ? 'any' : ''}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear models' }}
          maxValues={20}
          data={[
            ...(routes.data ?? []).map(route => ({ value: route.route_id, label: showHidden(route.title) })),
            ...(connections.data ?? [])
              .filter(connection => connection.status !== 'disabled')
              .map(connection => ({ value: connection.id, label: showHidden(connection.name) })),
          ]}
          value={models}
          onChange={setModels}
        />
        <Button type="submit" disabled={!ready} loading={busy}>
          Recommend
        </Button>
      </div>
    </form>
  )
}

function idOf(model: RecommendationRequest['models'][number]): string {
  return typeof model === 'string' ? model : model.kind === 'managed' ? model.route_id : model.connection_id
}
