import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import type { FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import { exampleQuery, useFrozenVersions } from './evaluators.queries.ts'

export type PreviewExample = Pick<FrozenExample, 'example_id' | 'revision' | 'input' | 'output' | 'expected' | 'metadata' | 'label'>

const Pins = z.array(z.object({ example_id: z.string(), revision: z.int() }))
type Pins = z.infer<typeof Pins>

/** Examples that previews of a dataset version show, kept on this machine by id and revision. */
export function usePins(versionId: string | null) {
  const place = `assay.pins.${versionId ?? ''}`
  const datasets = useFrozenVersions()
  const datasetId = datasets.data?.find(({ version }) => version.id === versionId)?.id ?? null
  const [written, setWritten] = useState<{ readonly place: string; readonly pins: Pins } | null>(null)
  const pins = written?.place === place ? written.pins : readPins(place)
  const found = useQueries({
    queries: datasetId === null ? [] : pins.map(({ example_id: id, revision }) => exampleQuery(datasetId, id, revision)),
  })
  return {
    pins: found.flatMap(({ data }): PreviewExample[] => (data ? [{ ...data, example_id: data.id }] : [])),
    setPins: (examples: readonly PreviewExample[]) => {
      const next = examples.map(({ example_id, revision }) => ({ example_id, revision }))
      localStorage.setItem(place, JSON.stringify(next))
      setWritten({ place, pins: next })
    },
  }
}

/** What is stored may be hand-edited. */
function readPins(place: string): Pins {
  try {
    return Pins.catch([]).parse(JSON.parse(localStorage.getItem(place) ?? '[]'))
  } catch {
    return []
  }
}
