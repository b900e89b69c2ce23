import { createHash } from 'node:crypto'
import type { BenchmarkDefinition, ProfileDefinition } from '../../tasks/definition.ts'
import { binaryMetric } from '../../tasks/metric.ts'
import { choiceProfile } from './choice-profile.ts'

/** Provider of benchmarks that a workspace makes from files of its own. */
const ownProvider = 'local'

/** What a benchmark from a user's own file is: the question unchanged, and the usual ways of comparing short answers side by side. */
export function ownBenchmark(title: string, slug: string, hasChoices: boolean): BenchmarkDefinition {
  return {
    slug,
    provider: ownProvider,
    name: slug,
    title,
    summary: 'Imported from a file of this workspace.',
    description: `Tasks that were imported from a file under the name "${title}".`,
    howMade: 'Not stated. The file’s checksum is kept with each version.',
    knownLimits: ['Nothing is known about how these tasks were made or whether a model has seen them.'],
    runner: 'inspect',
    capabilities: [],
    license: { name: 'Not stated', url: null },
    citation: null,
    homepage: null,
    profiles: [
      hasChoices ? { ...choiceProfile, promptTemplate: choiceProfile.promptTemplate.replace('{question}', '{input}') } : openProfile,
    ],
  }
}

/** Compares texts as a reader of short answers does. */
const shortText = { extraction: 'stated_or_whole', ignore_case: true, ignore_ends: true }

const openProfile: ProfileDefinition = {
  key: 'zero-shot',
  title: 'Zero-shot',
  summary:
    'The input unchanged. An answer matches when what it says its answer is, or all of it, is a target, without case, quotes, emphasis, end punctuation and “the” before it.',
  split: 'test',
  systemPrompt: null,
  promptTemplate: '{input}',
  shotTemplate: null,
  shots: 0,
  generation: { temperature: 0, max_output_tokens: 1024, stop: [] },
  metrics: [
    binaryMetric('exact_match', 'Answer matches the target', 'assay/exact_match', { primary: true, options: shortText }),
    binaryMetric('includes', 'Answer contains the target', 'inspect_ai/includes'),
    { id: 'f1', title: 'Shared words (F1)', scorer: 'inspect_ai/f1', scorer_version: 1, options: {}, binary: false, primary: false },
  ],
  requires: ['chat'],
  chanceLevel: null,
  breakdowns: [],
}

/** A slug from a title: lower-case letters, digits and dashes, at most 60; for titles in other scripts a name of their own all the same. */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '')
  return slug === '' ? `imported-${createHash('sha256').update(title).digest('hex').slice(0, 8)}` : slug
}
