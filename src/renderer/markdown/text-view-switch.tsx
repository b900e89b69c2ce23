import { SegmentedControl } from '@mantine/core'
import { useTextView, useTextViewKey } from './text-view.ts'

/** Raw, every character as it was sent or received, or formatted, for reading. */
export function TextViewSwitch() {
  const [view, setView] = useTextView()
  useTextViewKey()
  return (
    <SegmentedControl
      aria-label="Text shown"
      size="xs"
      value={view}
      onChange={chosen => setView(chosen === 'raw' ? 'raw' : 'formatted')}
      data={[
        { value: 'raw', label: 'Raw' },
        { value: 'formatted', label: 'Formatted (r)' },
      ]}
    />
  )
}
