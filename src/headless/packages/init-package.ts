import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CreatorName } from '../../contract/index.ts'
import { manifestPath } from '../../engine/importing/packages/open-package.ts'
import { UsageError } from '../exit-codes.ts'

const tasksPath = 'tasks.jsonl'
/** Of the tasks file until it is packed: `assay package pack` and `check` fill in the digests. */
const noDigest = '0'.repeat(64)

/**
 * Writes a manifest and a few tasks that pass every check. Answers the files.
 * @throws UsageError where one exists, which is left as it is
 */
export function initPackage(folder: string, { namespace, name }: { readonly namespace: string; readonly name: string }): string[] {
  for (const [option, value] of Object.entries({ namespace, name })) {
    const parsed = CreatorName.safeParse(value)
    if (!parsed.success) throw new UsageError(`--${option} "${value}" ${parsed.error.issues[0]?.message ?? 'cannot be used'}.`)
  }
  const manifest = {
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
    splits: { test: { file: tasksPath, sha256: noDigest } },
    fields: { id: 'id', input: 'question', target: 'answer' },
    profiles: [
      {
        key: 'zero-shot',
        title: 'Zero-shot',
        prompt_template: '{input}\n\nAnswer with the number only.',
        metrics: [{ id: 'exact', title: 'Exact match', scorer: 'assay/exact_match', primary: true }],
      },
    ],
  }
  const tasks = Array.from({ length: 20 }, (_, i) => {
    const [boxes, each] = [7 + 3 * i, 4 + 2 * i]
    return {
      id: `boxes-${i + 1}`,
      question: `A shop has ${boxes} boxes of ${each} pens. How many pens are there?`,
      answer: String(boxes * each),
    }
  })
  const files = [
    [join(folder, manifestPath), `${JSON.stringify(manifest, null, 2)}\n`],
    [join(folder, tasksPath), tasks.map(task => `${JSON.stringify(task)}\n`).join('')],
  ] as const
  mkdirSync(folder, { recursive: true })
  for (const [path, text] of files) {
    try {
      writeFileSync(path, text, { flag: 'wx' })
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
        throw new UsageError(`${path} exists and was left as it is. Name another folder: assay package init FOLDER`)
      throw error
    }
  }
  return files.map(([path]) => path)
}
