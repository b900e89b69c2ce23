import { existsSync, readFileSync } from 'node:fs'
import type { Score, ScoreInput } from '../../src/engine/grading/scorers/scorer.ts'

/** A scorer with options, and its verdicts on inputs in their order. */
export interface FrozenRow {
  /** `<scorer>@<version>` and its options. */
  readonly key: string
  readonly inputs: readonly ScoreInput[]
  readonly verdicts: readonly string[]
}

const signs: Readonly<Record<string, string>> = { correct: '+', wrong: '-', unscored: '?', too_slow: 'slow' }

/** @param graded each input with the score that the scorer gave it */
export function frozenRow(scorer: string, version: number, options: unknown, graded: readonly (readonly [ScoreInput, Score])[]): FrozenRow {
  return {
    key: `${scorer}@${version} ${JSON.stringify(options)}`,
    inputs: graded.map(([input]) => input),
    verdicts: graded.map(([, { class: outcome, value }]) => signs[outcome] ?? Number(value).toPrecision(6)),
  }
}

/**
 * The verdicts of `rows` beside those that were committed for the same versions. `changed` are verdicts that differ although the version
 * is the same; `content` is what the file is to be: it keeps every committed verdict, so that no update of snapshots changes one.
 */
export function compareWithFrozen(
  file: URL,
  rows: readonly FrozenRow[],
): { readonly changed: readonly string[]; readonly content: string } {
  const committed = new Map((existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n').map(line => readLine(line)))
  const changed = rows.flatMap(({ key, inputs, verdicts }) =>
    (committed.get(key) ?? []).flatMap((was, i) =>
      was === verdicts[i] ? [] : [`${key}: ${JSON.stringify(inputs[i])} was ${was} and is ${verdicts[i] ?? 'not asked'}`],
    ),
  )
  const lines = rows.map(({ key, verdicts }) => {
    const kept = committed.get(key) ?? []
    return `${key}\t${[...kept, ...verdicts.slice(kept.length)].join(' ')}\n`
  })
  return { changed, content: lines.join('') }
}

function readLine(line: string): [key: string, verdicts: readonly string[]] {
  const [key = '', verdicts = ''] = line.split('\t')
  return [key, verdicts.split(' ')]
}
