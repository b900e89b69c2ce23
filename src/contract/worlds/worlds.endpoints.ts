import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { NewAttack } from './attacks.schemas.ts'
import { CheckedWorld, CheckWorld, DraftedWorld, DraftWorld, TriedWorld, TryWorld } from './play.schemas.ts'
import { NewWorld, WorldVersion, WorldVersionDetail } from './worlds.schemas.ts'

const tag = 'Worlds'
const mebibyte = 1024 * 1024

export const worldsEndpoints = endpoints({
  createEnvironment: {
    method: 'POST',
    path: '/v1/environments',
    tag,
    summary: 'Create an environment or its next version',
    description:
      'A world as data: tools, state, users and tasks with what is expected of them. Versions are immutable and named by their content. The environment is listed in the catalog, and its profiles are quoted and run like those of a benchmark.',
    scope: 'catalog:write',
    status: 201,
    kind: 'json',
    idempotent: 'stored',
    maxBody: 8 * mebibyte,
    body: NewWorld,
    response: WorldVersion,
    errors: ['not_found', 'conflict', 'payload_too_large'],
  },
  listEnvironmentVersions: {
    method: 'GET',
    path: '/v1/environments',
    tag,
    summary: 'List versions of the workspace’s environments',
    description: 'Newest first. Bundled environments are in `/v1/catalog/environments` together with these.',
    scope: 'catalog:read',
    status: 200,
    kind: 'json',
    query: z.strictObject({ ...paging(), slug: z.string().max(60).optional().describe('Only versions of this environment.') }),
    response: page(WorldVersion),
    errors: ['invalid_cursor'],
  },
  getEnvironmentVersion: {
    method: 'GET',
    path: '/v1/environments/{environment_version_id}',
    tag,
    summary: 'Read an environment version with its definition',
    description: 'The definition can be edited and sent again as the next version.',
    scope: 'catalog:read',
    status: 200,
    kind: 'json',
    params: z.strictObject({ environment_version_id: Uuid }),
    response: WorldVersionDetail,
    errors: ['not_found'],
  },
  attackEnvironment: {
    method: 'POST',
    path: '/v1/environments/{environment_version_id}/attacks',
    tag,
    summary: 'Create the attacked form of an environment',
    description:
      'An environment of its own, `<slug>-attacked`: every task beside a variant for each attack, by published deterministic transformations. The attacker wants a canary word or a forbidden call; a check decides whether it got it. Quote and run it, then read `/v1/runs/{run_id}/attacks`.',
    scope: 'catalog:write',
    status: 201,
    kind: 'json',
    idempotent: 'stored',
    params: z.strictObject({ environment_version_id: Uuid }),
    body: NewAttack,
    response: WorldVersion,
    errors: ['not_found', 'conflict'],
  },
  checkEnvironment: {
    method: 'POST',
    path: '/v1/environments/check',
    tag,
    summary: 'Check a world without storing it',
    description: 'Replays the reference of each task that has one and grades it. No model is called.',
    scope: 'catalog:write',
    status: 200,
    kind: 'json',
    computes: true,
    maxBody: 8 * mebibyte,
    body: CheckWorld,
    response: CheckedWorld,
    errors: ['payload_too_large'],
  },
  draftEnvironment: {
    method: 'POST',
    path: '/v1/environments/draft',
    tag,
    summary: 'Draft a world of recorded traces',
    description:
      'Tool calls become canned results, the first message of the user the task, the recorded calls and the answer the expectation. Secrets and contact details are replaced, and the recorded calls are replayed. Nothing is stored: edit the definition and create it.',
    scope: 'traces:read',
    status: 200,
    kind: 'json',
    computes: true,
    body: DraftWorld,
    response: DraftedWorld,
    errors: ['not_found'],
  },
  tryEnvironment: {
    method: 'POST',
    path: '/v1/environments/try',
    tag,
    summary: 'Play one task of a world by hand',
    description:
      'Takes the place of the model: every move so far is sent each time, and the episode is played from its start, since worlds are deterministic. No model is called and nothing is stored.',
    scope: 'catalog:write',
    status: 200,
    kind: 'json',
    computes: true,
    maxBody: 8 * mebibyte,
    body: TryWorld,
    response: TriedWorld,
    errors: ['not_found', 'payload_too_large'],
  },
})
