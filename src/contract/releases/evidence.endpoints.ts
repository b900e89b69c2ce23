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
    errors: ['payload_too_large'],
  },
  getEvidence: {
    method: 'GET',
    path: '/v1/releases/evidence/{evidence_id}',
    tag,
    summary: 'Read evidence',
    description: 'Results from elsewhere that a decision may rest on.',
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
      'Matches the file to the tasks of a suite and summarizes their values. Every request creates a new analysis. An unreadable file is refused with position and reason. At most 100,000 tasks.',
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
    description: 'The figures that a decision read from the evidence, by number.',
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
