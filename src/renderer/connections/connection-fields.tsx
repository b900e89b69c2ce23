import { NumberInput, PasswordInput, Select, SimpleGrid, Switch } from '@mantine/core'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import { checkField, textField } from '../ui/forms/fields.ts'
import type { ConnectionForm, FormErrors } from './connection-form.ts'

export interface FieldsProps {
  readonly form: ConnectionForm
  readonly errors: FormErrors
  readonly onChange: (change: Partial<ConnectionForm>) => void
}

export interface SecretFieldsProps extends FieldsProps {
  /** The connection whose key and headers are kept unless they are changed. */
  readonly holder: Connection | null
  /** Whether that is another one, which the form is a copy of. */
  readonly isCopy: boolean
}

/** The key is write-only: a stored one is replaced or forgotten here, never shown. */
export function KeyField({ form, errors, onChange, holder, isCopy }: SecretFieldsProps) {
  const has = holder?.has_api_key ?? false
  return (
    <>
      <PasswordInput
        label="API key"
        description={
          !has
            ? 'Stored encrypted, sent only to this address, never shown again. Leave it empty where none is needed.'
            : isCopy
              ? 'Leave this empty to use the copied connection’s key, or type another.'
              : 'A key is stored, encrypted. Leave this empty to keep it, or type another to replace it.'
        }
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': 'Show what you typed' }}
        disabled={form.forget_key}
        error={errors.api_key}
        {...textField(form.api_key, text => onChange({ api_key: text }))}
      />
      {has ? (
        <Switch
          label={isCopy ? 'Use no key' : 'Forget the stored key'}
          {...checkField(form.forget_key, isOn => onChange({ forget_key: isOn, api_key: '' }))}
        />
      ) : null}
    </>
  )
}

export function LimitFields({ form, errors, onChange }: FieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <NumberInput
        label="Max concurrency"
        description="Upper limit; Assay adapts below it"
        min={1}
        allowDecimal={false}
        value={form.max_concurrency}
        error={errors.max_concurrency}
        onChange={value => onChange({ max_concurrency: value })}
      />
      <NumberInput
        label="Request timeout (s)"
        description="Seconds until a request fails"
        min={1}
        value={form.attempt_timeout_s}
        error={errors.attempt_timeout_s}
        onChange={value => onChange({ attempt_timeout_s: value })}
      />
      <Select
        label="When the endpoint throttles"
        description={throttleHelp[form.on_throttle]}
        data={throttleOptions}
        value={form.on_throttle}
        onChange={value => onChange({ on_throttle: value === 'fail_fast' ? 'fail_fast' : 'adapt' })}
      />
      <OptionalNumber label="Requests per minute" field="requests_per_minute" form={form} errors={errors} onChange={onChange} />
      <OptionalNumber label="Tokens per minute" field="tokens_per_minute" form={form} errors={errors} onChange={onChange} />
      <OptionalNumber label="Context tokens" field="context_tokens" form={form} errors={errors} onChange={onChange} />
      <OptionalNumber label="Max output tokens" field="max_output_tokens" form={form} errors={errors} onChange={onChange} />
    </SimpleGrid>
  )
}

const throttleOptions = [
  { value: 'adapt', label: 'Slow down and wait' },
  { value: 'fail_fast', label: 'Fail the sample' },
]

const throttleHelp: Readonly<Record<ConnectionForm['on_throttle'], string>> = {
  adapt: 'Adapts concurrency automatically',
  fail_fast: 'Sends at full concurrency; throttled samples fail',
}

interface OptionalNumberProps extends FieldsProps {
  readonly label: string
  readonly field: 'requests_per_minute' | 'tokens_per_minute' | 'context_tokens' | 'max_output_tokens'
}

function OptionalNumber({ label, field, form, errors, onChange }: OptionalNumberProps) {
  return (
    <NumberInput
      label={label}
      description="Empty: not known."
      min={1}
      // A value out of bounds is refused with a reason, never replaced by another.
      clampBehavior="none"
      allowDecimal={false}
      thousandSeparator=","
      value={form[field]}
      error={errors[field]}
      onChange={value => onChange({ [field]: value })}
    />
  )
}
