import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { formatBytes } from '../../lib/format/bytes.ts'
import { CopyButton } from '../ui/values/copy-button.tsx'
import { LongText } from './long-text.tsx'
import { prettyBody } from './pretty-body.ts'

/** A body as it went over the wire: indented where it is JSON, byte for byte on the other side of the switch. */
export function RawBody({ title, body }: { readonly title: string; readonly body: string | null }) {
  const [raw, setRaw] = useState(false)
  if (body === null || body === '')
    return (
      <p className="quiet samples-note">
        {title}: {body === null ? 'none' : 'empty'}
      </p>
    )
  const pretty = prettyBody(body)
  return (
    <div className="stack" style={{ gap: 4 }}>
      <div className="row samples-role">
        {title}
        <span className="quiet num">{formatBytes(new TextEncoder().encode(body).length)}</span>
        {pretty === null ? null : (
          <SegmentedControl
            aria-label={`${title} shown`}
            size="xs"
            value={raw ? 'raw' : 'pretty'}
            onChange={value => setRaw(value === 'raw')}
            data={[
              { value: 'pretty', label: 'Indented' },
              { value: 'raw', label: 'Raw' },
            ]}
          />
        )}
        <CopyButton value={body} what={title.toLowerCase()} />
      </div>
      <LongText key={String(raw)} text={raw || pretty === null ? body : pretty} />
    </div>
  )
}
