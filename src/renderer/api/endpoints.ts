import type { OperationId } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { annotationsEndpoints } from '../../contract/annotations/annotations.endpoints.ts'
import { jobsEndpoints } from '../../contract/jobs/jobs.endpoints.ts'
import { metaEndpoints } from '../../contract/meta/meta.endpoints.ts'
import { runsEndpoints } from '../../contract/runs/runs.endpoints.ts'
import { sessionsEndpoints } from '../../contract/sessions/sessions.endpoints.ts'

/** Operations of the frame and of a run's pages: what the first look at a result needs. */
const firstEndpoints: Readonly<Partial<Record<OperationId, Endpoint>>> = {
  ...sessionsEndpoints,
  ...metaEndpoints,
  ...runsEndpoints,
  ...annotationsEndpoints,
  ...jobsEndpoints,
}

/** The declaration of an operation. The schemas of all of them take longer to make than a page takes to draw, so most are read later. */
export async function endpointOf(id: OperationId): Promise<Endpoint> {
  return firstEndpoints[id] ?? (await import('../../contract/api.ts')).api[id]
}
