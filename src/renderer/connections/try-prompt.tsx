import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Connection, PromptTrialResult } from '../../contract/connections/connections.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { Reasoning } from '../samples/reasoning.tsx'
import { textField } from '../ui/forms/fields.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useTryPrompt } from './models.queries.ts'

const firstPrompt = 'What is 17 + 25? Answer with the number.'

/** One prompt and what the model makes of it, before a run asks it thousands. */
export function TryPrompt({ connection: { id } }: { readonly connection: Connection }) {
  const [prompt, setPrompt] = useState(firstPrompt)
  const attempt = useTryPrompt(id)
  return (
    <Section title="Try a prompt">
      <div className="row" style={{ alignItems: 'end', flexWrap: 'nowrap' }}>
        <Textarea
          label="Prompt"
          description="Makes one call, which the provider may bill"
          autosize
          minRows={1}
          maxRows={6}
          maxLength={2000}
          style={{ flex: 1, minWidth: 0 }}
          {...textField(prompt, setPrompt)}
        />
        <Button variant="default" loading={attempt.isPending} disabled={prompt.trim() === ''} onClick={() => attempt.mutate(prompt)}>
          Try
        </Button>
      </div>
      {attempt.isError ? <ErrorState error={attempt.error} title="The prompt was not sent" /> : null}
      <output aria-label="Answer">{attempt.data ? <Answer result={attempt.data} /> : null}</output>
    </Section>
  )
}

function Answer({ result }: { readonly result: PromptTrialResult }) {
  const { output, message, latency_ms: latency, input_tokens: input, output_tokens: written, finish_reason: reason } = result
  return (
    <div className="stack" style={{ gap: 4 }}>
      {output === null ? <UntrustedText text={message ?? 'The call failed.'} layout="prose" /> : null}
      <Reasoning reasoning={result.reasoning} />
      {output === '' ? <span className="quiet">The answer is empty.</span> : null}
      {output ? <UntrustedText text={output} /> : null}
      <span className="quiet small num">
        {formatDuration(latency)}
        {input === null || written === null ? '' : `, ${formatCount(input)} tokens in, ${formatCount(written)} out`}
        {reason === null ? '' : ', ended by '}
        {reason === null ? null : <UntrustedText text={reason} layout="inline" />}
      </span>
    </div>
  )
}
