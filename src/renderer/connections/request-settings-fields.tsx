import { NumberInput, SimpleGrid, Switch, Textarea } from '@mantine/core'
import { checkField, textField } from '../ui/forms/fields.ts'
import type { FieldsProps } from './connection-fields.tsx'
import { Folded } from './folded-fields.tsx'

type NumberName = 'top_p' | 'top_k' | 'seed' | 'frequency_penalty'
type TextName = 'stop' | 'chat_template_kwargs' | 'response_schema' | 'extra_body'

/** What is sent with every call beside a benchmark's own settings. Folded unless something is set or refused. */
export function RequestSettingsFields({ form, errors, onChange }: FieldsProps) {
  const fields = [...numbers, ...texts].map(({ name }) => name)
  const isSet = fields.some(name => form[name] !== '') || form.system_as_user || form.prompt_cache
  return (
    <Folded summary="Set what is sent with every call" isSet={isSet} isRefused={fields.some(name => errors[name] !== undefined)}>
      <div className="stack" style={{ gap: 12, paddingTop: 12 }}>
        <p className="quiet small" style={{ margin: 0 }}>
          Quotes freeze these settings, and results show them. Empty: the provider’s default.
        </p>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {numbers.map(({ name, label, whole }) => (
            <NumberInput
              key={name}
              label={label}
              allowDecimal={!whole}
              clampBehavior="none"
              value={form[name]}
              error={errors[name]}
              onChange={value => onChange({ [name]: value })}
            />
          ))}
        </SimpleGrid>
        <Switch
          label="System prompt as user message"
          description="For models without a system role"
          {...checkField(form.system_as_user, isOn => onChange({ system_as_user: isOn }))}
        />
        <Switch
          label="Mark prompts for caching"
          description="For Anthropic, OpenAI from GPT-5.6 and Qwen of Model Studio, which bill writing to the cache"
          {...checkField(form.prompt_cache, isOn => onChange({ prompt_cache: isOn }))}
        />
        {texts.map(({ name, label, description }) => (
          <Textarea
            key={name}
            label={label}
            description={description}
            autosize
            minRows={1}
            maxRows={12}
            spellCheck={false}
            classNames={{ input: 'mono' }}
            error={errors[name]}
            {...textField(form[name], text => onChange({ [name]: text }))}
          />
        ))}
      </div>
    </Folded>
  )
}

/** Authorities that are trusted for this connection alone. */
export function CertificateField({ form, errors, onChange }: FieldsProps) {
  return (
    <Folded
      summary="Trust a private certificate authority"
      isSet={form.ca_certificates !== ''}
      isRefused={errors.ca_certificates !== undefined}
    >
      <Textarea
        label="CA certificates"
        description="PEM, for a server whose certificate the system does not trust"
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        style={{ paddingTop: 12 }}
        error={errors.ca_certificates}
        {...textField(form.ca_certificates, text => onChange({ ca_certificates: text }))}
      />
    </Folded>
  )
}

const numbers: readonly { readonly name: NumberName; readonly label: string; readonly whole: boolean }[] = [
  { name: 'top_p', label: 'Top p', whole: false },
  { name: 'top_k', label: 'Top k', whole: true },
  { name: 'seed', label: 'Seed', whole: true },
  { name: 'frequency_penalty', label: 'Frequency penalty', whole: false },
]

const texts: readonly { readonly name: TextName; readonly label: string; readonly description: string }[] = [
  { name: 'stop', label: 'Stop sequences', description: 'One per line, added to the benchmark’s' },
  { name: 'response_schema', label: 'Answer as JSON (schema)', description: 'JSON Schema of the answer' },
  { name: 'chat_template_kwargs', label: 'Chat template variables', description: 'JSON object, such as {"enable_thinking": false}' },
  { name: 'extra_body', label: 'Extra body', description: 'JSON object merged into every request' },
]
