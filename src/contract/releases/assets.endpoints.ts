import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging } from '../primitives.ts'
import { Evidence } from './evidence.schemas.ts'
import { IssueEvent } from './issues.schemas.ts'
import { ReleaseLabel } from './labels.schemas.ts'
import { ReleasePolicy } from './policies.schemas.ts'
import { ReleaseCalibration } from './release-calibrations.schemas.ts'
import { ReleaseSuiteSummary } from './suites.schemas.ts'

const AssetKind = z.enum(['suite', 'policy', 'calibration', 'external', 'label', 'issue_event'])

const asset = <Kind extends z.infer<typeof AssetKind>, Shape extends z.ZodRawShape>(kind: Kind, record: z.ZodObject<Shape>) =>
  z.strictObject({ kind: z.literal(kind), ...record.shape })

/** A release resource as returned by its own operation, with its kind. */
const ReleaseAsset = z
  .discriminatedUnion('kind', [
    asset('suite', ReleaseSuiteSummary),
    asset('policy', ReleasePolicy),
    asset('calibration', ReleaseCalibration),
    asset('external', Evidence),
    asset('label', ReleaseLabel),
    asset('issue_event', IssueEvent),
  ])
  .meta({ id: 'ReleaseAsset' })

export const assetsEndpoints = endpoints('Releases', {
  listReleaseAssets: {
    route: 'GET /v1/releases/assets',
    summary: 'List release resources',
    description: 'Of one kind, newest first. `external` is evidence from other tools.',
    scope: 'releases:read',
    query: z.strictObject({ kind: AssetKind.default('suite'), ...paging(50) }),
    response: page(ReleaseAsset),
    errors: ['invalid_cursor'],
  },
})

export type AssetKind = z.infer<typeof AssetKind>
export type ReleaseAsset = z.infer<typeof ReleaseAsset>
