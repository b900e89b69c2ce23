import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import { Section } from '../ui/page/page-header.tsx'
import { CopyButton } from '../ui/values/copy-button.tsx'
import { useTextView } from '../markdown/text-view.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { ReadableText } from './readable-text.tsx'

type Detail = SampleDetail['score_details'][number]

/** What the model answered, with the answer that a metric took from it highlighted. */
export function Output({ output, details }: { readonly output: string | null; readonly details: readonly Detail[] }) {
  const marked = distinctSpans(details)
  const [view] = useTextView()
  const [chosen, choose] = useState<string | null>(null)
  const shown = marked.find(detail => detail.metric === chosen) ?? marked[0]
  return (
    <Section title="Output" aside={output === null ? null : <CopyButton value={output} what="output" />}>
      {marked.length > 1 ? (
        <SegmentedControl
          aria-label="Answer to mark"
          size="xs"
          value={shown?.metric ?? ''}
          onChange={choose}
          data={marked.map(detail => ({ value: detail.metric, label: `Marked: ${detail.title}` }))}
          style={{ alignSelf: 'flex-start' }}
        />
      ) : null}
      {output === null ? (
        <p className="quiet samples-note">There is no answer.</p>
      ) : output === '' ? (
        <p className="quiet samples-note">The answer is empty.</p>
      ) : (
        <ReadableText text={output} mark={shown?.answer_span ?? null} markLabel={shown ? `Taken by ${shown.title}` : undefined} />
      )}
      {shown && view === 'formatted' ? (
        <p className="quiet small samples-note">
          {shown.title} took <UntrustedText text={shown.answer ?? ''} layout="inline" /> as the answer. Raw shows where.
        </p>
      ) : null}
    </Section>
  )
}

/** One metric for each different place; most metrics take the same one. */
function distinctSpans(details: readonly Detail[]): readonly Detail[] {
  const places = new Map<string, Detail>()
  for (const detail of details) {
    const { answer_span: span } = detail
    const place = span ? `${span.start}-${span.end}` : null
    if (place !== null && !places.has(place)) places.set(place, detail)
  }
  return [...places.values()]
}
