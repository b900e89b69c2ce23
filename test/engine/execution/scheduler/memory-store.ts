import type { AttemptReport, CachedAnswer, ClaimedSample, Commit, RunStore } from '../../../../src/engine/execution/scheduler/ports.ts'

type Status = 'pending' | 'calling' | 'answered' | 'scored' | 'failed' | 'missing' | 'cancelled'

export interface MemorySample {
  readonly position: number
  status: Status
  fence: number
  attempts: number
  code: string | null
  output: string | null
}

export interface MemoryStore extends RunStore {
  readonly samples: MemorySample[]
  readonly reports: AttemptReport[]
  readonly commits: Commit[]
  /** Attempts whose call was begun, as `position:fence:attempt`. */
  readonly begun: Set<string>
  readonly cache: Map<string, CachedAnswer>
  /** Thrown by each write until it is null. */
  storageFault: Error | null
  savedMs: number
  counts(): Partial<Record<Status, number>>
}

/** A run's samples in memory, by the rules of the real store. */
export function memoryStore(frozen: number, already: readonly Partial<MemorySample>[] = []): MemoryStore {
  const samples: MemorySample[] = already.map((sample, position) => ({
    position,
    status: 'pending',
    fence: 0,
    attempts: 0,
    code: null,
    output: null,
    ...sample,
  }))
  const reports: AttemptReport[] = []
  const commits: Commit[] = []
  const begun = new Set<string>()
  const cache = new Map<string, CachedAnswer>()
  const held = ({ position, fence }: { position: number; fence: number }, status: Status) => {
    const sample = samples[position]
    return sample?.fence === fence && sample.status === status ? sample : null
  }
  const store: MemoryStore = {
    samples,
    reports,
    commits,
    begun,
    cache,
    storageFault: null,
    savedMs: 0,
    counts: () =>
      Object.fromEntries(Object.entries(Object.groupBy(samples, sample => sample.status)).map(([status, some]) => [status, some.length])),
    recover: async () => {
      for (const sample of samples) {
        if (sample.status !== 'calling') continue
        if (sample.output !== null) {
          sample.status = 'answered'
          continue
        }
        const attempts = begun.has(`${sample.position}:${sample.fence}:${sample.attempts}`) ? sample.attempts : sample.attempts - 1
        Object.assign(sample, { status: 'pending', fence: sample.fence + 1, attempts })
      }
    },
    begin: (_, { position, fence }, attempt) => {
      begun.add(`${position}:${fence}:${attempt}`)
    },
    fill: async (_, limit) => {
      if (store.storageFault) throw store.storageFault
      const before = samples.length
      while (samples.length < Math.min(frozen, before + limit))
        samples.push({ position: samples.length, status: 'pending', fence: 0, attempts: 0, code: null, output: null })
      return samples.length - before
    },
    commit: async (_, commit) => {
      if (store.storageFault) throw store.storageFault
      commits.push(commit)
      for (const report of commit.attempts) {
        reports.push(report)
        const sample = held(report.sample, 'calling')
        if (!sample) continue
        if (report.then === 'retry') sample.attempts = report.attempt + 1
        else if (report.outcome.ok && report.isScoredNext) sample.output = report.outcome.output
        else if (report.outcome.ok) Object.assign(sample, { status: 'answered', output: report.outcome.output })
        else
          Object.assign(sample, {
            status: report.then === 'cancel' ? 'cancelled' : report.then === 'miss' ? 'missing' : 'failed',
            code: report.outcome.code,
          })
        if (report.cacheKey && report.outcome.ok) {
          const { startedAt, finishedAt, outcome, cost } = report
          cache.set(Buffer.from(report.cacheKey).toString('hex'), { startedAt, finishedAt, outcome, cost })
        }
      }
      for (const report of commit.scores) Object.assign(held(report, report.answer ? 'calling' : 'answered') ?? {}, { status: 'scored' })
      return samples
        .filter(sample => sample.status === 'pending')
        .slice(0, commit.claim)
        .map((sample): ClaimedSample => {
          Object.assign(sample, { status: 'calling', fence: sample.fence + 1, attempts: sample.attempts + 1 })
          return {
            position: sample.position,
            profileNo: 0,
            taskNo: sample.position,
            epoch: 1,
            fence: sample.fence,
            attempt: sample.attempts,
            refusals: reports.filter(
              ({ sample: { position }, outcome }) => position === sample.position && !outcome.ok && outcome.code === 'rate_limited',
            ).length,
          }
        })
    },
    ungraded: (_, after, limit) =>
      samples
        .filter(sample => sample.status === 'answered' && sample.position > after)
        .slice(0, limit)
        .map(({ position, fence, output }) => ({
          position,
          profileNo: 0,
          taskNo: position,
          fence,
          output: output ?? '',
          reasoning: null,
          refused: false,
          holdsFiles: false,
          countTokens: false,
          unwritten: null,
        })),
    endPending: async (_, outcome, limit) => {
      const some = samples.filter(sample => sample.status === 'pending').slice(0, limit)
      for (const sample of some) sample.status = outcome
      return some.length
    },
    cached: key => cache.get(Buffer.from(key).toString('hex')) ?? null,
    saveRunningTime: async (_, ms) => {
      store.savedMs = ms
    },
    passes: error => error === store.storageFault,
  }
  return store
}
