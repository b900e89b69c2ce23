import { SegmentedControl } from '@mantine/core'
import { useTextView, useTextViewKey } from './text-view.ts'

/** Formatted, for reading, or raw: every character as it was sent or received. */
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
        { value: 'formatted', label: 'Formatted' },
        { value: 'raw', label: 'Raw (r)' },
      ]}
    />
  )
}
