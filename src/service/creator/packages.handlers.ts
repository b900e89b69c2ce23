import type { packagesEndpoints } from '../../contract/creator/packages.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Packages } from './packages.service.ts'
import { listPrivateProfiles, readPrivateProfile } from './private-profiles.ts'

export function packagesHandlers(packages: Packages): Handlers<typeof packagesEndpoints> {
  return {
    listPackages: ({ workspaceId }, { query }) => packages.list(workspaceId, query),
    createPackage: (context, input) =>
      input.kind === 'json' ? packages.createFromJson(context, input.body) : packages.createFromForm(context, input.parts),
    getPackage: ({ workspaceId }, { params }) => packages.read(workspaceId, params.package_id),
    listPackageReviews: ({ workspaceId }, { params, query }) => packages.reviews(workspaceId, params.package_id, query),
    samplePackageTasks: ({ workspaceId }, { params, query }) => packages.sample(workspaceId, params.package_id, query),
    exportPackage: ({ workspaceId }, { params }) => packages.exported(workspaceId, params.package_id),
    createPackageReview: (context, { params, body }) => packages.review(context, params.package_id, body),
    publishPackage: (context, { params }) => packages.publish(context, params.package_id),
    quarantinePackage: (context, { params, body }) => packages.quarantine(context, params.package_id, body.note),
    recheckPackage: (context, { params }) => packages.recheck(context, params.package_id),
    withdrawPackage: (context, { params }) => packages.withdraw(context, params.package_id),
    listPrivateProfiles: async ({ workspaceId }, { query }) => {
      await packages.catalog.ready(workspaceId)
      return listPrivateProfiles(packages, workspaceId, query)
    },
    getPrivateProfile: async ({ workspaceId }, { params }) => {
      await packages.catalog.ready(workspaceId, [params.profile_id])
      return readPrivateProfile(packages, workspaceId, params.profile_id)
    },
  }
}
