import { useQuery } from '@tanstack/react-query'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { resultsQuery } from '../results/results.queries.ts'
import { SelectFilter } from '../ui/forms/filters.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { formatPart, parsePart } from './breakdown-part.ts'

/** One part of the breakdowns of the results; nothing where the run has none. */
export function PartFilter({ run }: { readonly run: Run }) {
  const { get } = useAddress()
  const version = run.result_version ?? null
  const { data: results } = useQuery({ ...resultsQuery(run.id, version ?? 1), enabled: version !== null })
  const parts = [...new Set((results?.breakdowns ?? []).flatMap(part => formatPart(part) ?? []))]
  const chosen = get('part')
  const options = parsePart(chosen) === undefined || parts.includes(chosen) ? parts : [...parts, chosen]
  if (options.length === 0) return null
  return (
    <SelectFilter
      label="Part of a breakdown"
      name="part"
      width="100%"
      inPopover
      options={options.map(part => ({ value: part, label: describePart(part) }))}
    />
  )
}

/** `subject: algebra`, from an address; empty where it names no part. */
export function describePart(text: string): string {
  const part = parsePart(text)
  return part ? showHidden(`${part.dimension}: ${part.value}`) : ''
}
