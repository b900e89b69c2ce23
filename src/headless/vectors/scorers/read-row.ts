import { z } from 'zod'
import type { Score } from '../../../engine/grading/scorers/scorer.ts'
import { gradeOne } from '../../../engine/grading/scorers/registry.ts'
import type { VectorRow } from './vector-row.ts'

/** Readers for the loosely typed cells of a vector row. Each throws an Error naming what it could not read. */

export function textOutput(row: VectorRow): string {
  return z.string('the output must be text').parse(row.output)
}

export function numberList(value: unknown): readonly number[] {
  return z.array(z.number(), 'expected a list of numbers').parse(value)
}

export function list(value: unknown): readonly unknown[] {
  return z.array(z.unknown(), 'expected a list').parse(value)
}

export function option<Value>(row: VectorRow, name: string, schema: z.ZodType<Value>): Value {
  const parsed = schema.safeParse(row.options[name])
  if (!parsed.success) throw new Error(`option ${name}: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}

/** The targets as texts: a list, one text, or nothing. */
export function targetTexts(row: VectorRow): readonly string[] {
  if (row.target === null || row.target === undefined) return []
  return z
    .union([z.string().transform(text => [text]), z.array(z.string())], 'the target must be text or a list of texts')
    .parse(row.target)
}

/** The score of one of our scorers for a row of text, with the row's options unless others are given. */
export function scoreRow(row: VectorRow, scorer: string = row.scorer, options: unknown = row.options): Score {
  return gradeOne({ scorer, options }, { output: textOutput(row), targets: targetTexts(row) })
}
