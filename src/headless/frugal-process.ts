import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Bytes of the two halves for what is thrown away at once, beyond which they grow no more. They may double once beyond it, to what `frugalArguments` sets. */
const enoughYoung = 8 * 1024 * 1024

/**
 * Lets the heap grow by 30 % between collections, where V8 would allow a multiple on a machine with much memory: a run's garbage is
 * short-lived, and collecting it more often costs no time that was measured (`npm run bench -- run`).
 *
 * A process that was started without `frugalArguments`, as the packaged app is, also keeps its young generation from growing to 64 MB.
 */
export function keepHeapSmall(execArgv: readonly string[] = process.execArgv): void {
  setFlagsFromString('--heap-growing-percent=30')
  if (!execArgv.some(argument => argument.startsWith('--max-semi-space-size'))) holdYoungGeneration()
}

/**
 * V8 reads the greatest size at its start only, but by how much to grow at each collection: twofold until there is enough, then not at all.
 * Threads of the service have a size of their own, which is smaller.
 */
function holdYoungGeneration(): void {
  let factor = 2
  const observer = new PerformanceObserver(() => {
    const wanted = youngBytes() < enoughYoung ? 2 : 1
    if (wanted !== factor) setFlagsFromString(`--semi-space-growth-factor=${wanted}`)
    factor = wanted
  })
  observer.observe({ entryTypes: ['gc'] })
}

/** Size of the young generation of this thread. */
export function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}

/** Node's arguments for what can only be said before it begins: megabytes for what is thrown away at once. */
export const frugalArguments: readonly string[] = ['--max-semi-space-size=8']

/** The same for glibc, which otherwise keeps what each thread has freed: a third of the service's memory. Ignored elsewhere. */
export const frugalEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}
