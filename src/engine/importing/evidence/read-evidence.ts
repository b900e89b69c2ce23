import { describeMisplacedEvidence } from '../known-files.ts'
import { EvidenceError, type EvidenceFile, type EvidenceMapping } from './evidence-file.ts'
import { readCsvEvidence } from './read-csv-evidence.ts'
import { readInspectEvidence } from './read-inspect-evidence.ts'
import { readJunitEvidence } from './read-junit-evidence.ts'
import { readLmEvalEvidence } from './read-lm-eval-evidence.ts'
import { readManualEvidence } from './read-manual-evidence.ts'
import { readPromptfooEvidence } from './read-promptfoo-evidence.ts'
import { readSarifEvidence } from './read-sarif-evidence.ts'
import type { EvidenceFormat } from '../../../contract/releases/evidence.schemas.ts'

/**
 * Reads a file of evidence by its format.
 * @throws EvidenceError, with what to do instead where the file looks like another tool's: beside the fault of a later line, before which it was read
 */
export async function readEvidence(format: EvidenceFormat, bytes: Buffer, mapping: EvidenceMapping): Promise<EvidenceFile> {
  try {
    return await readAs(format, bytes, mapping)
  } catch (error) {
    const misplaced = error instanceof EvidenceError && format !== 'manual' ? describeMisplacedEvidence(bytes, format) : null
    if (misplaced === null || !(error instanceof EvidenceError)) throw error
    throw new EvidenceError((error.line ?? 0) > 1 ? `${error.message} ${misplaced}` : misplaced)
  }
}

function readAs(format: EvidenceFormat, bytes: Buffer, mapping: EvidenceMapping): EvidenceFile | Promise<EvidenceFile> {
  switch (format) {
    case 'inspect':
      return readInspectEvidence(bytes, mapping)
    case 'lm_eval':
      return readLmEvalEvidence(bytes, mapping)
    case 'promptfoo':
      return readPromptfooEvidence(bytes, mapping)
    case 'junit':
      return readJunitEvidence(bytes)
    case 'sarif':
      return readSarifEvidence(bytes)
    case 'csv':
      return readCsvEvidence(bytes, mapping)
    case 'manual':
      return readManualEvidence(bytes)
  }
}
