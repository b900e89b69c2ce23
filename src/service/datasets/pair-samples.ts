import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sample, SampleDetail } from '../../contract/runs/samples.schemas.ts'
import type { Runs } from '../runs/index.ts'

/** Samples of a run by what they answer. */
export interface OtherAnswers {
  readonly model: string
  /** Name of the run. */
  readonly run: string
  /** Null where the other run has no answer to the same task and epoch under the same profile. */
  find(sample: Pick<Sample, 'profile_id' | 'task_id' | 'epoch'>): SampleDetail | null
}

/** Samples of one page of a list. */
const pageSize = 200

/** The answers of a second run, to be paired with those of a first. */
export async function otherAnswers(
  runs: Pick<Runs, 'results' | 'samples' | 'sample' | 'read'>,
  workspaceId: string,
  runId: string,
): Promise<OtherAnswers> {
  const { result_version: version } = runs.results(workspaceId, runId, undefined)
  const keyOf = ({ profile_id, task_id, epoch }: Pick<Sample, 'profile_id' | 'task_id' | 'epoch'>) =>
    JSON.stringify([profile_id, task_id, epoch])
  const ids = new Map<string, string>()
  for (let cursor: string | undefined; ; ) {
    const query = { limit: pageSize, status: 'scored' as const, q: '', match: 'words' as const, sort: 'position' as const, cursor }
    const page = await runs.samples(workspaceId, runId, query)
    for (const sample of page.items) ids.set(keyOf(sample), sample.id)
    if (page.next_cursor === null) break
    cursor = page.next_cursor
    await nextTurn()
  }
  const { model, name } = runs.read(workspaceId, runId)
  return {
    model: model.title,
    run: name,
    find: sample => {
      const id = ids.get(keyOf(sample))
      return id === undefined ? null : runs.sample(workspaceId, runId, id, version)
    },
  }
}

/** What a sample answered. */
export function answerOf({ episode, output }: SampleDetail): string | null {
  return episode ? episode.answer : output
}

/** Names that tell two runs of one model apart: a ranking is of different models. */
export function namesOf(a: { readonly model: string; readonly run: string }, b: typeof a): readonly [string, string] {
  return a.model === b.model ? [`${a.model} (${a.run})`, `${b.model} (${b.run})`] : [a.model, b.model]
}
