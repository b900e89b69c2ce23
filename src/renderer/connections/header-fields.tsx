import { Button, PasswordInput, Switch, TextInput } from '@mantine/core'
import { checkField, textField } from '../ui/forms/fields.ts'
import { IconButton } from '../ui/forms/icon-button.tsx'
import { IconTrash } from '../ui/pictures/icons.tsx'
import type { SecretFieldsProps } from './connection-fields.tsx'
import type { HeaderRow } from './connection-form.ts'

/** Extra headers. Their values are secrets like the key: of stored ones only the names are known here. */
export function HeaderFields({ form, errors, onChange, holder, isCopy }: SecretFieldsProps) {
  const change = (key: string, part: Partial<HeaderRow>): void =>
    onChange({ headers: form.headers.map(row => (row.key === key ? { ...row, ...part } : row)) })
  const add = (): void => onChange({ headers: [...form.headers, { key: crypto.randomUUID(), name: '', value: '' }], replace_headers: true })
  return (
    <div className="stack" style={{ gap: 8 }}>
      {holder && holder.header_names.length > 0 ? (
        <>
          <div>
            {isCopy ? 'Copied' : 'Stored'}, values encrypted: <span className="mono">{holder.header_names.join(', ')}</span>
          </div>
          <Switch label="Replace all of them" {...checkField(form.replace_headers, isOn => onChange({ replace_headers: isOn }))} />
        </>
      ) : null}
      {form.replace_headers || !holder?.header_names.length ? (
        <>
          {form.headers.map((row, index) => (
            <div key={row.key} className="row" style={{ flexWrap: 'nowrap' }}>
              <TextInput
                aria-label={`Name of header ${index + 1}`}
                placeholder="Name"
                spellCheck={false}
                {...textField(row.name, text => change(row.key, { name: text }))}
              />
              <PasswordInput
                aria-label={`Value of header ${index + 1}`}
                placeholder="Value"
                autoComplete="off"
                style={{ flex: 1 }}
                visibilityToggleButtonProps={{ 'aria-label': 'Show what you typed' }}
                {...textField(row.value, text => change(row.key, { value: text }))}
              />
              <IconButton
                icon={IconTrash}
                label={`Remove header ${index + 1}`}
                onClick={() => onChange({ headers: form.headers.filter(({ key }) => key !== row.key) })}
              />
            </div>
          ))}
          {errors.headers ? (
            <div role="alert" style={{ color: 'var(--fail)' }}>
              {errors.headers}
            </div>
          ) : null}
          <div>
            <Button variant="default" size="xs" onClick={add}>
              Add header
            </Button>
          </div>
        </>
      ) : null}
    </div>
  )
}
