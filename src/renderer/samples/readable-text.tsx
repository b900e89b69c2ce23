import { FormattedText } from '../markdown/formatted-text.tsx'
import { useTextView } from '../markdown/text-view.ts'
import { LongText, type LongTextProps } from './long-text.tsx'

/** A text of a transcript as the reader has chosen: formatted, or raw with its marked part. */
export function ReadableText(props: LongTextProps) {
  const [view] = useTextView()
  const raw = <LongText {...props} />
  return view === 'raw' ? raw : <FormattedText text={props.text} raw={raw} />
}
