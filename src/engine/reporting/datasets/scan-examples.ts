import type { ScanKind } from '../../../contract/datasets/dataset-imports.schemas.ts'
import type { Example } from '../../../contract/datasets/examples.schemas.ts'
import { scrubSecrets } from '../../../lib/scrub-secrets.ts'
import { findNearDuplicates } from '../../statistics/near-duplicates.ts'

type ExampleContent = Pick<Example, 'input' | 'output' | 'expected' | 'metadata'>

export interface ScannedExample {
  readonly no: number
  readonly id: string
  readonly revision: number
  readonly content: ExampleContent
}

/** What a scan found out about one example. */
export interface ScanFinding {
  readonly no: number
  readonly exampleId: string
  readonly revision: number
  readonly kind: ScanKind
  readonly ofExampleId: string | null
  readonly similarity: number | null
  readonly fields: readonly string[]
}

export interface ScanReport {
  /** Every example that was looked at, in order. */
  readonly scanned: readonly { readonly no: number; readonly revision: number }[]
  readonly findings: readonly ScanFinding[]
}

/** Looks for examples that repeat an earlier one, and for what looks like a secret. Contents are in memory one at a time. */
export function scanExamples(examples: Iterable<ScannedExample>, kinds: readonly ScanKind[]): ScanReport {
  const scanned: Omit<ScannedExample, 'content'>[] = []
  const findings: ScanFinding[] = []
  function* texts(): Generator<string> {
    for (const { no, id, revision, content } of examples) {
      scanned.push({ no, id, revision })
      const fields = kinds.includes('secrets') ? fieldsWithSecrets(content) : []
      if (fields.length > 0) findings.push({ no, exampleId: id, revision, kind: 'secrets', ofExampleId: null, similarity: null, fields })
      yield comparedText(content)
    }
  }
  const isCompared = kinds.includes('duplicates')
  // Reading the texts is what looks for secrets.
  if (!isCompared) for (const _ of texts()) continue
  for (const { index, of, similarity } of isCompared ? findNearDuplicates(texts()) : []) {
    const [example, earlier] = [scanned[index], scanned[of]]
    if (!example || !earlier) continue
    const { no, id, revision } = example
    findings.push({ no, exampleId: id, revision, kind: 'duplicates', ofExampleId: earlier.id, similarity, fields: [] })
  }
  return { scanned: scanned.map(({ no, revision }) => ({ no, revision })), findings }
}

/** Input and output; metadata alone does not make examples different. */
function comparedText({ input, output, expected }: ExampleContent): string {
  return [input, output, expected].map(part => (typeof part === 'string' ? part : textsIn(part))).join('\n')
}

function textsIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(textsIn).join('\n')
  return typeof value === 'object' && value !== null ? Object.values(value).map(textsIn).join('\n') : ''
}

function fieldsWithSecrets(content: ExampleContent): string[] {
  return (['input', 'output', 'expected', 'metadata'] as const).filter(field => {
    const value = content[field]
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return scrubSecrets(text) !== text
  })
}
