import { ChosenFilter } from '../ui/forms/chosen-filter.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { describePart } from './part-filter.tsx'

/** Which part of a breakdown the list is narrowed to, for a reader who came from its bar. */
export function ChosenPart() {
  const { get, set } = useAddress()
  const words = describePart(get('part'))
  return words === '' ? null : <ChosenFilter words={words} onClear={() => set({ part: null })} />
}
