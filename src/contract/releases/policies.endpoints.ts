import { endpoints } from '../endpoint.ts'
import { NewReleasePolicy, ReleasePolicy } from './policies.schemas.ts'

export const releasePoliciesEndpoints = endpoints('Releases', {
  createReleasePolicy: {
    route: 'POST /v1/releases/policies',
    summary: 'Create an immutable release policy version',
    description:
      'Approval needs every required rule: an intersection–union test, in which each rule keeps the whole α (Berger 1982; Schultzberg et al. 2024).',
    scope: 'releases:write',
    status: 201,
    idempotent: 'stored',
    body: NewReleasePolicy,
    response: ReleasePolicy,
    errors: ['not_found', 'conflict'],
  },
})
