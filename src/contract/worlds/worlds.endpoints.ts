import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { AttackRewrites, NewAttack, NewDatasetAttack, RewriteAttacks } from './attacks.schemas.ts'
import { NewWorldDraft, WorldDraft } from './drafts.schemas.ts'
import { CheckedWorld, CheckWorld, DraftedWorld, DraftWorld, TriedWorld, TryWorld } from './play.schemas.ts'
import { NewWorld, WorldVersion, WorldVersionDetail } from './worlds.schemas.ts'

const mebibyte = 1024 * 1024

export const worldsEndpoints = endpoints('Worlds', {
  createEnvironment: {
    route: 'POST /v1/environments',
    summary: 'Create an environment or its next version',
    description:
      'A world as data: tools, state, users and tasks with what is expected of them. Versions are immutable and named by their content. The environment is listed in the catalog, and its profiles are quoted and run like those of a benchmark. A world with a judge also needs the scope evaluators:write.',
    scope: 'catalog:write',
    status: 201,
    idempotent: 'stored',
    maxBody: 8 * mebibyte,
    body: NewWorld,
    response: WorldVersion,
    errors: ['not_found', 'conflict', 'missing_scope'],
  },
  listEnvironmentVersions: {
    route: 'GET /v1/environments',
    summary: 'List versions of the workspace’s environments',
    description: 'Newest first. Bundled environments are in `/v1/catalog/environments` together with these.',
    scope: 'catalog:read',
    query: z.strictObject({ ...paging(), slug: z.string().max(60).optional().describe('Only versions of this environment.') }),
    response: page(WorldVersion),
    errors: ['invalid_cursor'],
  },
  getEnvironmentVersion: {
    route: 'GET /v1/environments/{environment_version_id}',
    summary: 'Read an environment version with its definition',
    description: 'The definition can be edited and sent again as the next version.',
    scope: 'catalog:read',
    params: z.strictObject({ environment_version_id: Uuid }),
    response: WorldVersionDetail,
  },
  attackEnvironment: {
    route: 'POST /v1/environments/{environment_version_id}/attacks',
    summary: 'Create the attacked form of an environment',
    description:
      'An environment of its own, `<slug>-attacked`: every task beside a variant for each attack, by published deterministic transformations. The attacker wants a canary word, a forbidden call or a broken policy rule; a check decides whether it got it. Quote and run it, then read `/v1/runs/{run_id}/attacks`. A world with a judge also needs the scope evaluators:write.',
    scope: 'catalog:write',
    status: 201,
    idempotent: 'stored',
    computes: true,
    params: z.strictObject({ environment_version_id: Uuid }),
    body: NewAttack,
    response: WorldVersion,
    errors: ['conflict', 'missing_scope'],
  },
  attackDataset: {
    route: 'POST /v1/datasets/{dataset_id}/attacks',
    summary: 'Create an environment of attacked examples of a dataset',
    description:
      'Each drawn example becomes a task without tools beside a variant for each attack, in an environment `<name of the dataset>-attacked`. The attacker wants a canary word. Examples that expect nothing are refused by name. Quote and run it, then read `/v1/runs/{run_id}/attacks`. Also needs the scope datasets:read.',
    scope: 'catalog:write',
    status: 201,
    computes: true,
    idempotent: 'stored',
    params: z.strictObject({ dataset_id: Uuid }),
    body: NewDatasetAttack,
    response: WorldVersion,
    errors: ['missing_scope', 'conflict'],
  },
  rewriteAttacks: {
    route: 'POST /v1/environments/attack-rewrites',
    summary: 'Have a model write attacks',
    description:
      'A model writes notes that ask for a goal in words of its own, for the `rewrites` of an attack. They ask for a canary word or a call, never for harm. The calls are paid, within the limit.',
    scope: 'evaluators:write',
    status: 201,
    computes: true,
    idempotent: 'stored',
    body: RewriteAttacks,
    response: AttackRewrites,
    errors: ['not_found', 'conflict', 'insufficient_credit', 'spend_ceiling_reached', 'spending_limit_reached', 'provider_error'],
  },
  checkEnvironment: {
    route: 'POST /v1/environments/check',
    summary: 'Check a world without storing it',
    description: 'Replays the reference of each task that has one and grades it. No model is called.',
    scope: 'catalog:write',
    computes: true,
    maxBody: 8 * mebibyte,
    body: CheckWorld,
    response: CheckedWorld,
  },
  draftEnvironment: {
    route: 'POST /v1/environments/draft',
    summary: 'Draft a world of recorded traces or conversations',
    description:
      'Tool calls become canned results, the first message of the user the task, the recorded calls and the answer the expectation. Secrets and contact details are replaced, and the recorded calls are replayed. Nothing is stored: edit the definition and create it.',
    scope: 'traces:read',
    computes: true,
    maxBody: 8 * mebibyte,
    body: DraftWorld,
    response: DraftedWorld,
    errors: ['not_found'],
  },
  startEnvironmentDraft: {
    route: 'POST /v1/environments/drafts',
    summary: 'Draft worlds of many traces or of files in the background',
    description:
      'Like `/v1/environments/draft`, for up to 2,000 traces; or worlds of files: a folder that `assay world init` writes, BFCL, a promptfoo configuration, or recorded conversations. Read the job for the progress, then the draft. What a world cannot hold is left out by name. Traces also need the scope traces:read. A workspace makes at most 10 at a time.',
    scope: 'catalog:write',
    status: 202,
    idempotent: 'stored',
    maxBody: 24 * mebibyte,
    body: NewWorldDraft,
    response: WorldDraft,
    errors: ['not_found', 'missing_scope', 'conflict'],
  },
  getEnvironmentDraft: {
    route: 'GET /v1/environments/drafts/{environment_draft_id}',
    summary: 'Read a draft of worlds',
    description:
      'With the worlds once its job has succeeded. A draft of traces shows their content and needs the scope traces:read too. Drafts are kept for a week, of a workspace the newest 20.',
    scope: 'catalog:write',
    params: z.strictObject({ environment_draft_id: Uuid }),
    response: WorldDraft,
    errors: ['missing_scope'],
  },
  tryEnvironment: {
    route: 'POST /v1/environments/try',
    summary: 'Play one task of a world by hand',
    description:
      'Takes the place of the model: every move so far is sent each time, and the episode is played from its start, since worlds are deterministic. No model is called and nothing is stored.',
    scope: 'catalog:write',
    computes: true,
    maxBody: 8 * mebibyte,
    body: TryWorld,
    response: TriedWorld,
    errors: ['not_found'],
  },
})
