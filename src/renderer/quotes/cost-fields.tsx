import { DollarField } from '../ui/forms/dollar-field.tsx'
import { type FieldErrors, providerCapRules, type QuoteForm } from './quote-form.ts'

interface CostFieldsProps {
  readonly form: QuoteForm
  readonly errors: FieldErrors
  readonly onChange: (change: Partial<QuoteForm>) => void
}

/** Caps: on what the wallet is charged, and for a connection on what its own provider bills. */
export function CostFields({ form, errors, onChange }: CostFieldsProps) {
  return (
    <>
      <DollarField
        label="Spending limit"
        description="What your wallet may be charged for the run. Connections are billed by their provider."
        value={form.capDollars}
        error={errors['capDollars']}
        onChange={capDollars => onChange({ capDollars })}
      />
      {form.model?.startsWith('connection:') ? (
        <DollarField
          label="Provider spending limit"
          description="By the connection’s rates. The run stops before a call that could pass it."
          rules={providerCapRules}
          value={form.providerCapDollars}
          error={errors['providerCapDollars']}
          onChange={providerCapDollars => onChange({ providerCapDollars })}
        />
      ) : null}
    </>
  )
}
