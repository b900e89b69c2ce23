import { SimpleGrid } from '@mantine/core'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import type { FieldsProps } from './connection-fields.tsx'
import { rateRules } from './connection-form.ts'
import { Folded } from './folded-fields.tsx'
import { partRates } from './part-rates.ts'

/** What a million tokens cost. Kinds of tokens with rates of their own are folded unless one is set or refused. */
export function RateFields({ form, errors, onChange }: FieldsProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <DollarField
          label="Input, per million tokens"
          rules={rateRules}
          value={form.input_dollars}
          error={errors.input_dollars}
          onChange={input_dollars => onChange({ input_dollars })}
        />
        <DollarField
          label="Output, per million tokens"
          rules={rateRules}
          value={form.output_dollars}
          error={errors.output_dollars}
          onChange={output_dollars => onChange({ output_dollars })}
        />
      </SimpleGrid>
      <Folded
        summary="Set rates of cached, reasoning and media tokens"
        isSet={partRates.some(({ field }) => form[field] !== '')}
        isRefused={partRates.some(({ field }) => errors[field] !== undefined)}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" style={{ paddingTop: 12 }}>
          {partRates.map(({ field, label, side }) => (
            <DollarField
              key={field}
              label={`${label}, per million tokens`}
              rules={{ empty: `The ${side} rate` }}
              value={form[field]}
              error={errors[field]}
              onChange={value => onChange({ [field]: value })}
            />
          ))}
        </SimpleGrid>
      </Folded>
    </>
  )
}
