import { Group, Select } from '@mantine/core'
import { useState } from 'react'
import { ServiceError } from '../../contract/client.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { useModelChoice } from '../quotes/use-model-choice.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { readDollars } from '../ui/forms/dollars.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useWriteAttacks } from './worlds.queries.ts'

const limitRules = { empty: 'None', above: '0' } as const

/** Has a model write texts, for a person to read and edit before they are used. */
export function AttackWriter({ onWritten }: { readonly onWritten: (texts: readonly string[]) => void }) {
  const models = useModelChoice()
  const [model, setModel] = useState<string | null>(null)
  const [dollars, setDollars] = useState('')
  const write = useWriteAttacks()
  const limit = readDollars(dollars, limitRules)
  const isLimitMissing = write.error instanceof ServiceError && write.error.detail.some(({ loc }) => loc.includes('max_charge_microusd'))
  const options = (models.options ?? []).filter(({ isModel }) => isModel)
  const submit = (): void => {
    if (model === null) return
    write.mutate({ model, limit: limit.amount }, { onSuccess: ({ rewrites }) => onWritten(rewrites) })
  }
  return (
    <div className="stack" style={{ gap: 8 }}>
      <Group align="flex-end" gap="sm">
        <Select
          label="Have a model write them"
          clearable
          clearButtonProps={{ 'aria-label': 'No model' }}
          placeholder="Choose a model"
          searchable
          flex={1}
          data={options.map(({ value, label, reasons }) => ({ value, label, disabled: reasons.length > 0 }))}
          value={model}
          onChange={setModel}
          nothingFoundMessage="No models. Add a connection first."
        />
        <DollarField
          label="Spending limit"
          rules={limitRules}
          value={dollars}
          error={isLimitMissing && dollars.trim() === '' ? 'Required: its calls cost money' : null}
          onChange={setDollars}
        />
        <ReasonedButton
          variant="default"
          blocked={model === null ? 'Choose a model.' : limit.error === null ? null : 'Correct the spending limit.'}
          loading={write.isPending}
          onClick={submit}
        >
          Write
        </ReasonedButton>
      </Group>
      {write.error && !isLimitMissing ? <ErrorState error={write.error} title="Nothing was written" /> : null}
      {write.data ? <p className="quiet small">Billed by its provider: {formatUsd(write.data.provider_billed_microusd)}</p> : null}
    </div>
  )
}
