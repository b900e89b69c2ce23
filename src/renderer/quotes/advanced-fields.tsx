import { NumberInput } from '@mantine/core'
import type { ExecutionOptions } from '../../contract/index.ts'
import { numberOrNull, wholeOrNull } from './number-value.ts'
import type { FieldErrors, QuoteForm } from './quote-form.ts'

interface AdvancedFieldsProps {
  readonly form: QuoteForm
  readonly errors: FieldErrors
  /** Bounds of this machine; undefined until they are known. */
  readonly options: ExecutionOptions | undefined
  readonly onChange: (change: Partial<QuoteForm>) => void
}

/** Settings whose defaults suit most runs. Closed at first, unless one of them was refused. */
export function AdvancedFields({ form, errors, options, onChange }: AdvancedFieldsProps) {
  const refused = [errors.epochs, errors.maxAttempts, errors.temperature, errors.maxOutputTokens, errors.concurrency].some(Boolean)
  return (
    <details className="quotes-advanced" {...(refused ? { open: true } : {})}>
      <summary>Execution settings</summary>
      <div className="quotes-advanced-grid">
        <NumberInput
          label="Epochs"
          description="Answers asked for each task"
          min={options?.epochs.min ?? 1}
          max={options?.epochs.max ?? 100}
          allowDecimal={false}
          value={form.epochs ?? ''}
          error={errors.epochs}
          onChange={value => onChange({ epochs: wholeOrNull(value) })}
        />
        <NumberInput
          label="Attempts"
          description="Tries at one sample before it fails"
          min={options?.attempts.min ?? 1}
          max={options?.attempts.max ?? 10}
          allowDecimal={false}
          value={form.maxAttempts ?? ''}
          error={errors.maxAttempts}
          onChange={value => onChange({ maxAttempts: wholeOrNull(value) })}
        />
        <NumberInput
          label="Temperature"
          description="Empty keeps the profiles’ own"
          min={0}
          max={2}
          step={0.1}
          value={form.temperature ?? ''}
          error={errors.temperature}
          onChange={value => onChange({ temperature: numberOrNull(value) })}
        />
        <NumberInput
          label="Longest answer, tokens"
          description="Empty keeps the profiles’ own"
          min={options?.max_output_tokens.min ?? 1}
          max={options?.max_output_tokens.max ?? 1_000_000}
          allowDecimal={false}
          thousandSeparator=","
          value={form.maxOutputTokens ?? ''}
          error={errors.maxOutputTokens}
          onChange={value => onChange({ maxOutputTokens: wholeOrNull(value) })}
        />
        <NumberInput
          label="Concurrent calls, at most"
          description="Empty leaves it to the endpoint"
          min={options?.concurrency.min ?? 1}
          max={options?.concurrency.max ?? 256}
          allowDecimal={false}
          value={form.concurrency ?? ''}
          error={errors.concurrency}
          onChange={value => onChange({ concurrency: wholeOrNull(value) })}
        />
      </div>
    </details>
  )
}
