/** Tells an endpoint that fails everybody from calls that fail by themselves. */
export interface FailureBurst {
  /** @param of what the call was made for */
  succeeded(of: object): void
  /** Whether at least half of the last calls failed, of several samples: then the endpoint is overloaded, and no sample is to blame. */
  failed(of: object): boolean
  forget(): void
}

/** Calls that are looked back at. */
const lookedAt = 8
const leastFailing = 3

export function createFailureBurst(): FailureBurst {
  let recent: { readonly of: object; readonly ok: boolean }[] = []
  const add = (of: object, ok: boolean) => {
    if (recent.length === lookedAt) recent.shift()
    recent.push({ of, ok })
  }
  return {
    succeeded: of => add(of, true),
    failed: of => {
      add(of, false)
      const failures = recent.filter(({ ok }) => !ok)
      return failures.length * 2 >= recent.length && new Set(failures.map(call => call.of)).size >= leastFailing
    },
    forget: () => {
      recent = []
    },
  }
}
