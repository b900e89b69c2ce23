import { formatCount } from '../../lib/format/numbers.ts'
import { Folded } from '../results/folded.tsx'
import { ReadableText } from './readable-text.tsx'

/** What the model thought before its answer; no scorer saw it. */
export function Reasoning({ reasoning }: { readonly reasoning: string | null }) {
  if (reasoning === null) return null
  return (
    <Folded title={`Reasoning (${formatCount(reasoning.length)} characters)`}>
      <ReadableText text={reasoning} />
    </Folded>
  )
}
