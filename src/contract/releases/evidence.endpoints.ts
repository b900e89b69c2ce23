import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import {
  Evidence,
  EvidenceAnalysis,
  EvidencePreview,
  EvidenceForm,
  EvidenceTask,
  NewEvidence,
  NewEvidenceAnalysis,
} from './evidence.schemas.ts'

const params = z.strictObject({ evidence_id: Uuid })
const numbered = z.strictObject({ evidence_id: Uuid, n: z.string().regex(/^[1-9]\d{0,8}$/, 'must be the number of an analysis') })

export const evidenceEndpoints = endpoints('Releases', {
  createEvidence: {
    route: 'POST /v1/releases/evidence',
    summary: 'Upload evidence from another tool',
    description:
      'As JSON up to 1 MiB, or as a form with one `file` part (at most 64 MiB). The bytes are stored unchanged and parsed on analysis. The same bytes in the same format return the existing evidence.',
    scope: 'releases:write',
    status: 201,
    kind: 'json_or_upload',
    idempotent: 'stored',
    maxBody: 64 * 1024 * 1024,
    body: NewEvidence,
    form: EvidenceForm,
    response: Evidence,
  },
  getEvidence: {
    route: 'GET /v1/releases/evidence/{evidence_id}',
    summary: 'Read evidence',
    description: 'Results from elsewhere that a decision may rest on.',
    scope: 'releases:read',
    params,
    response: Evidence,
  },
  previewEvidence: {
    route: 'POST /v1/releases/evidence/{evidence_id}/preview',
    summary: 'Preview an analysis of evidence',
    description: 'What an analysis with the same body would find: rows, matched tasks and figures. Nothing is stored.',
    scope: 'releases:read',
    params,
    body: NewEvidenceAnalysis,
    response: EvidencePreview,
  },
  analyzeEvidence: {
    route: 'POST /v1/releases/evidence/{evidence_id}/analyze',
    summary: 'Analyze evidence',
    description:
      'Matches the file to the tasks of a suite and summarizes their values. Every request creates a new analysis. An unreadable file is refused with position and reason. At most 100,000 tasks.',
    scope: 'releases:write',
    params,
    body: NewEvidenceAnalysis,
    response: EvidenceAnalysis,
  },
  getEvidenceAnalysis: {
    route: 'GET /v1/releases/evidence/{evidence_id}/analyses/{n}',
    summary: 'Read an analysis of evidence',
    description: 'The figures that a decision read from the evidence, by number.',
    scope: 'releases:read',
    params: numbered,
    response: EvidenceAnalysis,
  },
  listEvidenceTasks: {
    route: 'GET /v1/releases/evidence/{evidence_id}/analyses/{n}/tasks',
    summary: 'List the tasks of an analysis with their values',
    description: 'In the order of the file.',
    scope: 'releases:read',
    params: numbered,
    query: z.strictObject(paging(100)),
    response: page(EvidenceTask),
    errors: ['invalid_cursor'],
  },
})
