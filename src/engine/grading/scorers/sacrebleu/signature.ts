import type { Metric } from '../../../../contract/catalog/benchmarks.schemas.ts'
import { smoothingValues } from '../text/bleu.ts'
import { usualCharacterOrder } from '../text/chrf.ts'

const release = '2.6.0'
const references = 'references_'

/** Counted once for each sample whose task has so many references. */
export function referencesKey(targets: readonly string[]): string {
  return `${references}${targets.length}`
}

/** Counted for samples with a reference in a script that the tokenizer does not split. */
export const unsplitKey = 'unsplit'

/**
 * What sacrebleu says of the figure of a run, so that two can be compared: `nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0`.
 * Null for other scorers, and where no sample counts its references.
 */
export function sacrebleuSignature(
  { scorer, options }: Pick<Metric, 'scorer' | 'options'>,
  sums: Readonly<Record<string, number>>,
): string | null {
  const counted = Object.keys(sums).filter(name => name.startsWith(references))
  if (counted.length === 0) return null
  const nrefs = counted.length > 1 ? 'var' : (counted[0] ?? '').slice(references.length)
  const letters = options['lowercase'] === true ? 'lc' : 'mixed'
  const of = (name: string, usual: string | number) => optionOf(options, name, usual)
  if (scorer === 'sacrebleu/bleu') {
    const method = of('smooth_method', 'exp')
    const usual = method === 'floor' || method === 'add-k' ? smoothingValues[method] : null
    const smooth = usual === null ? method : `${method}[${Number(of('smooth_value', usual)).toFixed(2)}]`
    return `nrefs:${nrefs}|case:${letters}|eff:no|tok:${of('tokenize', '13a')}|smooth:${smooth}|version:${release}`
  }
  if (scorer !== 'sacrebleu/chrf') return null
  const effective = options['eps_smoothing'] === true ? 'no' : 'yes'
  const space = options['whitespace'] === true ? 'yes' : 'no'
  return `nrefs:${nrefs}|case:${letters}|eff:${effective}|nc:${of('char_order', usualCharacterOrder)}|nw:${of('word_order', 0)}|space:${space}|version:${release}`
}

function optionOf(options: Metric['options'], name: string, usual: string | number): string {
  const value = options[name]
  return String(typeof value === 'string' || typeof value === 'number' ? value : usual)
}

/** What to think of a figure whose references the tokenizer did not split; empty where it did. */
export function unsplitCautions({ options }: Pick<Metric, 'options'>, sums: Readonly<Record<string, number>>): string[] {
  const count = sums[unsplitKey] ?? 0
  if (count === 0) return []
  const cut = optionOf(options, 'tokenize', '13a')
  return [
    `${count} samples have references in a script without blanks between words, which the tokenizer "${cut}" does not split: choose "${cut === 'zh' ? 'char' : 'zh" for Chinese or "char'}" for the others.`,
  ]
}
