import { findNearDuplicates, nearDuplicateFrom } from '../../../statistics/near-duplicates.ts'
import { checkResult, type CheckResult, outcomeOfShare, type PackageTask, percent } from '../package-task.ts'

/** Five words; a sign counts as a word, since punctuation can be the question. Signatures of 128 hash functions. */
const form = { words: 5, bands: 32, word: /[\p{L}\p{N}]+|[^\p{L}\p{N}\s]/gu } as const

/** Shorter texts have too few shingles to be distinguished. */
const fewestWords = 10

/**
 * Tasks that nearly repeat an earlier one: candidates by MinHash, confirmed by the Jaccard similarity of their shingles (0.8 and more).
 * Tasks of one declared cluster, and of different files, are meant to be alike and do not count. Warns above 2 %, fails above 20 %.
 */
export function checkNearDuplicates(tasks: readonly PackageTask[]): CheckResult {
  const long = tasks
    .map(task => ({ task, text: [task.input, ...(task.choices ?? [])].join('\n') }))
    .filter(({ text }) => (text.match(form.word)?.length ?? 0) >= fewestWords)
  const found = findNearDuplicates(
    long.map(({ text }) => text),
    form,
  )
  const repeated = found.flatMap(({ index, of }) => {
    const [task, other] = [long[index]?.task, long[of]?.task]
    const isCluster = task && task.cluster !== null && task.cluster === other?.cluster
    const isAlike = task?.setting === other?.setting && task?.media.join() === other?.media.join()
    return task && !isCluster && isAlike ? [task.id] : []
  })
  const share = tasks.length === 0 ? 0 : repeated.length / tasks.length
  const figures = { tasks: tasks.length, compared: long.length, near_duplicates: repeated.length, share, similarity: nearDuplicateFrom }
  const detail =
    repeated.length === 0
      ? `No task nearly repeats another (${long.length} of ${tasks.length} are long enough to tell).`
      : `${repeated.length} of ${tasks.length} tasks (${percent(share)}) nearly repeat an earlier one. Remove them, or name the column that groups them as "cluster"; at most 20 % are accepted.`
  return checkResult('near_duplicates', outcomeOfShare(share, { warn: 0.02, fail: 0.2 }), detail, figures, repeated)
}
