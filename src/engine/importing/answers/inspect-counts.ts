import type { ForeignLog } from './foreign-log.ts'

interface CountedLog {
  readonly header: {
    readonly eval: {
      readonly dataset?: { readonly sample_ids?: readonly (string | number)[] | null | undefined } | null | undefined
      readonly config?: { readonly epochs?: number | null | undefined } | null | undefined
    }
    readonly results?: { readonly total_samples?: number | null | undefined } | null | undefined
  }
  readonly samples: readonly { readonly id: string | number }[]
}

/** Where every log says how many samples it is of. */
export function countedLogs(logs: readonly CountedLog[]): ForeignLog['counted'] {
  const parts = logs.map(({ header, samples }) => {
    const { dataset, config } = header.eval
    const ids = dataset?.sample_ids ?? []
    const epochs = config?.epochs ?? 1
    const stated = header.results?.total_samples ?? (ids.length > 0 ? ids.length * epochs : null)
    const there = new Set(samples.map(({ id }) => String(id)))
    return { stated, read: samples.length, missing: ids.map(String).filter(id => !there.has(id)) }
  })
  if (parts.some(({ stated }) => stated === null)) return null
  return {
    stated: parts.reduce((sum, { stated }) => sum + (stated ?? 0), 0),
    read: parts.reduce((sum, { read }) => sum + read, 0),
    missing: parts.flatMap(({ missing }) => missing),
  }
}
