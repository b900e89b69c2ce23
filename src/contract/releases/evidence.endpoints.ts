import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { Evidence, EvidenceAnalysis, EvidenceForm, EvidenceTask, NewEvidence, NewEvidenceAnalysis } from './evidence.schemas.ts'

const tag = 'Releases'
const params = z.strictObject({ evidence_id: Uuid })
const numbered = z.strictObject({ evidence_id: Uuid, n: z.string().regex(/^[1-9]\d{0,8}$/, 'must be the number of an analysis') })

export const evidenceEndpoints = endpoints({
  createEvidence: {
    method: 'POST',
    path: '/v1/releases/evidence',
    tag,
    summary: 'Keep evidence from another tool',
    description:
      'As JSON up to 1 MiB, or as a form with one `file` part (at most 64 MiB). The bytes are kept as they are and read when they are analyzed. The same bytes in the same format answer the first evidence.',
    scope: 'releases:write',
    status: 201,
    kind: 'json_or_upload',
    idempotent: 'stored',
    maxBody: 64 * 1024 * 1024,
    body: NewEvidence,
    form: EvidenceForm,
    response: Evidence,
    errors: ['payload_too_large'],
  },
  getEvidence: {
    method: 'GET',
    path: '/v1/releases/evidence/{evidence_id}',
    tag,
    summary: 'Read evidence',
    scope: 'releases:read',
    status: 200,
    kind: 'json',
    params,
    response: Evidence,
    errors: ['not_found'],
  },
  analyzeEvidence: {
    method: 'POST',
    path: '/v1/releases/evidence/{evidence_id}/analyze',
    tag,
    summary: 'Analyze evidence',
    description:
      'Finds the tasks of a suite in the file and sums up their values. Every request makes the next analysis. A file that cannot be read is refused with its place and reason. At most 100,000 tasks.',
    scope: 'releases:write',
    status: 200,
    kind: 'json',
    params,
    body: NewEvidenceAnalysis,
    response: EvidenceAnalysis,
    errors: ['not_found'],
  },
  getEvidenceAnalysis: {
    method: 'GET',
    path: '/v1/releases/evidence/{evidence_id}/analyses/{n}',
    tag,
    summary: 'Read an analysis of evidence',
    scope: 'releases:read',
    status: 200,
    kind: 'json',
    params: numbered,
    response: EvidenceAnalysis,
    errors: ['not_found'],
  },
  listEvidenceTasks: {
    method: 'GET',
    path: '/v1/releases/evidence/{evidence_id}/analyses/{n}/tasks',
    tag,
    summary: 'List the tasks of an analysis with their values',
    description: 'In the order of the file.',
    scope: 'releases:read',
    status: 200,
    kind: 'json',
    params: numbered,
    query: z.strictObject(paging(100)),
    response: page(EvidenceTask),
    errors: ['not_found', 'invalid_cursor'],
  },
})
