import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RunSource } from '../../contract/datasets/dataset-imports.schemas.ts'
import { ApiError, invalidField } from '../../contract/errors.ts'
import type { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import type { Runs } from '../runs/index.ts'
import type { Actor } from './actor.ts'
import type { Examples, ExampleToAdd } from './examples.service.ts'

/** Samples read between two looks at other requests. */
const pageSize = 25

export interface AddedFromRun {
  readonly created: number
  readonly duplicates: number
  readonly skipped: readonly { readonly sample_id: string; readonly reason: string }[]
}

/** Examples out of runs: apart from datasets, on which runs themselves rest by their evaluators. */
export interface RunExamples {
  add(actor: Actor, workspaceId: string, datasetId: string, source: RunSource): Promise<AddedFromRun>
}

export function createRunSource(parts: Parameters<typeof addFromRun>[0]): RunExamples {
  return { add: (...request) => addFromRun(parts, ...request) }
}

/** Adds the first samples of an ended run that fit the filter: input, output and scores. */
async function addFromRun(
  { runs, examples }: { readonly runs: Pick<Runs, 'results' | 'samples' | 'sample' | 'read'>; readonly examples: Examples },
  actor: Actor,
  workspaceId: string,
  datasetId: string,
  { run_id, result_version, filter, sample_ids, limit }: RunSource,
): Promise<AddedFromRun> {
  const dataset = examples.writable(workspaceId, datasetId)
  if (dataset.task === 'pairwise')
    throw invalidField(['body', 'run_id'], 'a sample has one answer, and a pairwise dataset compares two; use a dataset of another task')
  const results = runs.results(workspaceId, run_id, result_version)
  const version = results.result_version
  const isLatest = runs.results(workspaceId, run_id, undefined).result_version === version
  const model = runs.read(workspaceId, run_id).model.title
  const profileOf = new Map(results.reproducibility.profiles.map(profile => [profile.profile_id, profile]))
  const query = {
    limit: pageSize,
    status: 'scored' as const,
    profile: filter.profile_id,
    q: filter.q ?? '',
    match: filter.match ?? 'words',
    sort: 'position' as const,
    // The list knows the latest scores; those of an earlier version are looked at below.
    passed: filter.passed !== undefined && isLatest ? (String(filter.passed) as 'true' | 'false') : undefined,
  }
  const skipped: { sample_id: string; reason: string }[] = []
  let [created, duplicates, looked] = [0, 0, 0]
  const take = (details: readonly SampleDetail[]): void => {
    looked += details.length
    const outcomes = examples.addFromSource(
      actor,
      workspaceId,
      datasetId,
      details.map(detail => exampleOf(detail, profileOf.get(detail.profile_id), model, version)),
    )
    for (const [i, { outcome, reason }] of outcomes.entries()) {
      if (outcome === 'created') created++
      else if (reason === null) duplicates++
      else skipped.push({ sample_id: details[i]?.id ?? '', reason })
    }
  }
  /** Null for a sample that can't become an example, which is skipped with the reason. */
  const readSample = (id: string): SampleDetail | null => {
    try {
      const detail = runs.sample(workspaceId, run_id, id, version)
      if (detail.status === 'scored') return detail
      skipped.push({ sample_id: id, reason: `The sample is ${detail.status}, so it has no answer to add.` })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
      skipped.push({ sample_id: id, reason: error.message })
    }
    return null
  }
  if (sample_ids !== undefined) {
    const wanted = [...new Set(sample_ids)]
    for (let from = 0; from < wanted.length; from += pageSize) {
      if (from > 0) await nextTurn()
      take(wanted.slice(from, from + pageSize).flatMap(id => readSample(id) ?? []))
    }
    return { created, duplicates, skipped }
  }
  for (let cursor: string | undefined; ; ) {
    const page = await runs.samples(workspaceId, run_id, { ...query, cursor })
    const details = page.items
      .map(({ id }) => runs.sample(workspaceId, run_id, id, version))
      .filter(detail => filter.passed === undefined || detail.passed === filter.passed)
      .slice(0, limit - looked)
    take(details)
    if (page.next_cursor === null || looked >= limit) return { created, duplicates, skipped }
    cursor = page.next_cursor
    await nextTurn()
  }
}

function exampleOf(detail: SampleDetail, profile: FrozenProfile | undefined, model: string, version: number): ExampleToAdd {
  const { messages, targets, choices, score_details: scores, epoch, passed } = detail
  const [only] = messages
  const [target] = targets
  const labels = Object.fromEntries(scores.flatMap(({ metric, label }) => (label === undefined ? [] : [[metric, label]])))
  const answer = detail.episode ? detail.episode.answer : detail.output
  return {
    sourceKey: null,
    content: {
      input:
        messages.length === 1 && only?.role === 'user' && typeof only.content === 'string' && only.content !== ''
          ? only.content
          : messages.map(message => ({ ...message })),
      output: answer,
      expected: targets.length === 1 && target !== undefined ? target : targets.length > 1 ? [...targets] : null,
      metadata: {
        ...(profile ? { benchmark: profile.source_ref } : {}),
        profile_id: detail.profile_id,
        task_id: detail.task_id,
        epoch,
        model,
        passed,
        scores: Object.fromEntries(scores.map(({ metric, value }) => [metric, value])),
        ...(Object.keys(labels).length > 0 && { labels }),
        ...(choices ? { choices } : {}),
      },
    },
    origin: { kind: 'run', ref: { run_id: detail.run_id, result_version: version, sample_id: detail.id } },
  }
}
