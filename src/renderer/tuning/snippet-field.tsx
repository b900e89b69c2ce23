import { Anchor, Textarea } from '@mantine/core'
import { Link } from 'react-router'
import { formatCount } from '../../lib/format/numbers.ts'
import { textField } from '../ui/forms/fields.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { SnippetCall } from './read-snippet.ts'

interface SnippetFieldProps {
  readonly value: string
  readonly found: SnippetCall
  /** Whether the model that the code names can be chosen; null while the models are read. */
  readonly isKnownModel: boolean | null
  readonly onChange: (snippet: string) => void
}

/** The code that makes the call, with what was read from it. */
export function SnippetField({ value, found, isKnownModel, onChange }: SnippetFieldProps) {
  const { model } = found
  const settings = describeSettings(found)
  return (
    <>
      <Textarea
        label="Code"
        description="Paste the code that makes the call: Python, TypeScript or curl. It fills in the fields below and is never run."
        autosize
        minRows={6}
        maxRows={16}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        spellCheck={false}
        {...textField(value, onChange)}
      />
      {value.trim() === '' ? null : (
        <output className="quotes-note">
          {settings.length === 0
            ? 'No model, settings or prompts found in this code. Fill in the fields below.'
            : `Found: ${settings.join(', ')}.`}
          {model !== null && isKnownModel === false ? (
            <>
              {' '}
              The code calls <UntrustedText text={model} layout="inline" />, which has no ready connection. Choose a model below, or{' '}
              <Anchor component={Link} to="/models/connections/new" fz="inherit" underline="always">
                add a connection
              </Anchor>
              .
            </>
          ) : null}
        </output>
      )}
    </>
  )
}

function describeSettings({
  model,
  effort,
  temperature,
  topP,
  seed,
  maxOutputTokens,
  stop,
  systemPrompt,
  promptTemplate,
}: SnippetCall): string[] {
  return [
    model === null ? null : 'model',
    temperature === null ? null : `temperature ${temperature}`,
    topP === null ? null : `top p ${topP}`,
    seed === null ? null : `seed ${seed}`,
    maxOutputTokens === null ? null : `max output tokens ${formatCount(maxOutputTokens)}`,
    stop === null ? null : `stop ${stop.map(text => JSON.stringify(text)).join(', ')}`,
    effort === null ? null : `effort ${effort}`,
    systemPrompt === null ? null : 'system prompt',
    promptTemplate === null ? null : 'prompt template',
  ].filter(part => part !== null)
}
