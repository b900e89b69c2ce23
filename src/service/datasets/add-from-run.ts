import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RunSource } from '../../contract/datasets/dataset-imports.schemas.ts'
import { ApiError, invalidField } from '../../contract/errors.ts'
import type { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import type { Runs } from '../runs/index.ts'
import type { Actor } from './actor.ts'
import type { Examples, ExampleToAdd } from './examples.service.ts'
import { answerOf, namesOf, otherAnswers } from './pair-samples.ts'

/** Samples read between two looks at other requests. */
const pageSize = 25

export type RunReader = Pick<Runs, 'results' | 'samples' | 'sample' | 'read'>

interface Skipped {
  readonly sample_id: string
  readonly reason: string
}

export interface AddedFromRun {
  readonly created: number
  readonly duplicates: number
  readonly skipped: readonly Skipped[]
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
  { runs, examples }: { readonly runs: RunReader; readonly examples: Examples },
  actor: Actor,
  workspaceId: string,
  datasetId: string,
  source: RunSource,
): Promise<AddedFromRun> {
  const { run_id, result_version, against_run_id: against } = source
  const dataset = examples.writable(workspaceId, datasetId)
  if ((dataset.task === 'pairwise') !== (against !== undefined))
    throw invalidField(
      ['body', 'against_run_id'],
      against === undefined
        ? 'is required: a sample has one answer, and a pairwise dataset compares two'
        : `is only for pairwise datasets; "${dataset.name}" takes single answers`,
    )
  const results = runs.results(workspaceId, run_id, result_version)
  const version = results.result_version
  const { model: read, name } = runs.read(workspaceId, run_id)
  const model = read.title
  const other = against === undefined ? null : await otherAnswers(runs, workspaceId, against)
  const names = other && namesOf({ model, run: name }, other)
  const profileOf = new Map(results.reproducibility.profiles.map(profile => [profile.profile_id, profile]))
  const skipped: Skipped[] = []
  let [created, duplicates] = [0, 0]
  for await (const { details, unread } of samplesOf(runs, workspaceId, source, version)) {
    skipped.push(...unread)
    const made = details.flatMap(detail => {
      const example = exampleOf(detail, profileOf.get(detail.profile_id), model, version)
      if (!other || !names) return [{ detail, example }]
      const output = pairOf(detail, other.find(detail))
      if (typeof output !== 'string') return [{ detail, example: asPair(example, output, names) }]
      skipped.push({ sample_id: detail.id, reason: output })
      return []
    })
    const wanted = made.map(({ example }) => example)
    for (const [i, { outcome, reason }] of examples.addFromSource(actor, workspaceId, datasetId, wanted).entries()) {
      if (outcome === 'created') created++
      else if (reason === null) duplicates++
      else skipped.push({ sample_id: made[i]?.detail.id ?? '', reason })
    }
  }
  return { created, duplicates, skipped }
}

/** The scored samples that are named or fit the filter, a few at a time, and why named ones among them cannot be read. */
async function* samplesOf(
  runs: RunReader,
  workspaceId: string,
  { run_id, filter, sample_ids, limit }: RunSource,
  version: number,
): AsyncGenerator<{ readonly details: readonly SampleDetail[]; readonly unread: readonly Skipped[] }> {
  const readNamed = (id: string): SampleDetail | Skipped => {
    try {
      const detail = runs.sample(workspaceId, run_id, id, version)
      if (detail.status === 'scored') return detail
      return { sample_id: id, reason: `The sample is ${detail.status}, so it has no answer to add.` }
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
      return { sample_id: id, reason: error.message }
    }
  }
  if (sample_ids !== undefined) {
    const wanted = [...new Set(sample_ids)]
    for (let from = 0; from < wanted.length; from += pageSize) {
      if (from > 0) await nextTurn()
      const read = wanted.slice(from, from + pageSize).map(readNamed)
      yield { details: read.filter(one => 'status' in one), unread: read.filter(one => 'reason' in one) }
    }
    return
  }
  const isLatest = runs.results(workspaceId, run_id, undefined).result_version === version
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
  let left = limit
  for (let cursor: string | undefined; ; ) {
    const page = await runs.samples(workspaceId, run_id, { ...query, cursor })
    const details = page.items
      .map(({ id }) => runs.sample(workspaceId, run_id, id, version))
      .filter(detail => filter.passed === undefined || detail.passed === filter.passed)
      .slice(0, left)
    left -= details.length
    yield { details, unread: [] }
    if (page.next_cursor === null || left <= 0) return
    cursor = page.next_cursor
    await nextTurn()
  }
}

/** Both answers, or why there is no pair. */
function pairOf(sample: SampleDetail, other: SampleDetail | null): { readonly a: string; readonly b: string } | string {
  if (other === null) return 'The other run has no answer to this task and epoch.'
  const [a, b] = [answerOf(sample), answerOf(other)]
  return a === null || b === null ? 'One of the two runs gave no answer in text.' : { a, b }
}

/** What is of a single answer, so that a pair has none of it. */
const ofOneAnswer: ReadonlySet<string> = new Set(['model', 'passed', 'scores', 'labels'])

function asPair(example: ExampleToAdd, output: { readonly a: string; readonly b: string }, [model_a, model_b]: readonly [string, string]) {
  const shared = Object.entries(example.content.metadata).filter(([name]) => !ofOneAnswer.has(name))
  return { ...example, content: { ...example.content, output, metadata: { ...Object.fromEntries(shared), model_a, model_b } } }
}

function exampleOf(detail: SampleDetail, profile: FrozenProfile | undefined, model: string, version: number): ExampleToAdd {
  const { messages, targets, choices, score_details: scores, epoch, passed } = detail
  const [only] = messages
  const [target] = targets
  const labels = Object.fromEntries(scores.flatMap(({ metric, label }) => (label === undefined ? [] : [[metric, label]])))
  return {
    sourceKey: null,
    content: {
      input:
        messages.length === 1 && only?.role === 'user' && typeof only.content === 'string' && only.content !== ''
          ? only.content
          : messages.map(message => ({ ...message })),
      output: answerOf(detail),
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
