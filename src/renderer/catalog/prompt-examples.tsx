import { Select } from '@mantine/core'
import { useState } from 'react'
import type { Profile } from '../../contract/catalog/benchmarks.schemas.ts'
import { describeFormat, describeImageLimit, describeReasoning } from '../../contract/catalog/describe-generation.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** How the chosen profile asks: system prompt, template and settings. */
export function PromptExamples({ profiles }: { readonly profiles: readonly Profile[] }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const profile = profiles.find(candidate => candidate.id === chosen) ?? profiles[0]
  if (!profile) return null
  const { temperature, max_output_tokens, stop } = profile.generation
  return (
    <Section
      title="Prompt"
      aside={
        profiles.length > 1 ? (
          <Select
            aria-label="Profile of the prompt"
            size="xs"
            w={260}
            data={profiles.map(({ id, title }) => ({ value: id, label: title }))}
            value={profile.id}
            onChange={setChosen}
          />
        ) : null
      }
    >
      {profile.system_prompt ? <UntrustedText text={profile.system_prompt} /> : null}
      <UntrustedText text={profile.prompt_template} />
      <KeyValues
        items={{
          Temperature: temperature ?? 'the provider’s own',
          'Max output tokens': `${formatCount(max_output_tokens)} tokens`,
          Reasoning: describeReasoning(profile.generation).join(', ') || null,
          Format: describeFormat(profile.generation).join(', ') || null,
          Images: describeImageLimit(profile.generation).join(', ') || null,
          'Stop sequences':
            stop.length > 0 ? <UntrustedText text={stop.map(word => JSON.stringify(word)).join(', ')} layout="inline" /> : null,
          Needs: profile.requires.length > 0 ? profile.requires.join(', ') : null,
          'Prompt digest': <Identifier value={profile.prompt_digest} what="prompt digest" shown={12} />,
        }}
      />
    </Section>
  )
}
