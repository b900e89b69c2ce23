import { useLocalStorage } from '@mantine/hooks'
import { useLetterKey } from '../ui/page/use-letter-key.ts'

type TextView = 'formatted' | 'raw'

/** How texts of transcripts are shown, everywhere at once and kept on this machine. Raw at first: a transcript is evidence. */
export function useTextView(): readonly [TextView, (view: TextView) => void] {
  const [view, setView] = useLocalStorage<TextView>({
    key: 'assay.transcript.text',
    defaultValue: 'raw',
    getInitialValueInEffect: false,
    deserialize: stored => (stored === 'formatted' ? 'formatted' : 'raw'),
    serialize: value => value,
  })
  return [view, setView]
}

/** `r` changes between formatted and raw, wherever no letter is typed. */
export function useTextViewKey(): void {
  const [view, setView] = useTextView()
  useLetterKey('r', () => setView(view === 'raw' ? 'formatted' : 'raw'))
}
