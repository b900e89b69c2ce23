import { setFlagsFromString } from 'node:v8'

/**
 * Lets the heap grow by 30 % between collections, where V8 would allow a multiple on a machine with much memory: a run's garbage is
 * short-lived, and collecting it more often costs no time that was measured (`npm run bench -- run`).
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=30')
}

/** Node's arguments for what can only be said before it begins: megabytes for what is thrown away at once. */
export const frugalArguments: readonly string[] = ['--max-semi-space-size=4']

/** The same for glibc, which otherwise keeps what each thread has freed: a third of the service's memory. Ignored elsewhere. */
export const frugalEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}
