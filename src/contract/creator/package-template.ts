import type { z } from 'zod'
import type { NewPackage } from './manifest.schemas.ts'

/** A package to start from, which passes every check: what `assay package init` writes and Creator offers as a download. */
export function packageTemplate({ namespace, name }: { readonly namespace: string; readonly name: string }) {
  return {
    manifest: {
      format: 'assay.package/1',
      namespace,
      name,
      version: '0.1.0',
      title: 'My benchmark',
      summary: 'What it measures, in one or two sentences.',
      license: 'CC-BY-4.0',
      creators: [{ name: 'Your name' }],
      languages: ['en'],
      capabilities: ['arithmetic'],
      runner: 'inspect',
      fields: { id: 'id', input: 'question', target: 'answer' },
      profiles: [
        {
          key: 'zero-shot',
          title: 'Zero-shot',
          prompt_template: '{input}\n\nAnswer with the number only.',
          metrics: [{ id: 'exact', title: 'Exact match', scorer: 'assay/exact_match', primary: true }],
        },
      ],
    },
    tasks: {
      test: Array.from({ length: 20 }, (_, i) => {
        const [boxes, each] = [7 + 3 * i, 4 + 2 * i]
        return {
          id: `boxes-${i + 1}`,
          question: `A shop has ${boxes} boxes of ${each} pens. How many pens are there?`,
          answer: String(boxes * each),
        }
      }),
    },
    assets: [],
  } satisfies z.input<typeof NewPackage>
}
