import type { Results } from '../../contract/runs/results.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { KeyValues } from '../ui/page/key-values.tsx'

const counters: Readonly<Record<Results['usage']['tokens_counted_by'], string>> = {
  provider: 'the provider',
  tokenizer: 'Assay’s tokenizer',
  both: 'the provider where reported, else by Assay’s tokenizer',
  none: 'not counted',
}

export function Usage({ usage }: { readonly usage: Results['usage'] }) {
  return (
    <KeyValues
      items={{
        'Model calls': formatCount(usage.model_calls),
        'of which repeated': formatCount(usage.retries),
        'Input tokens': usage.input_tokens === null ? 'not known' : formatCount(usage.input_tokens),
        'Output tokens': usage.output_tokens === null ? 'not known' : formatCount(usage.output_tokens),
        'Counted by': counters[usage.tokens_counted_by],
      }}
    />
  )
}
