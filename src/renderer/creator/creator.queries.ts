import { queryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { BenchmarkStatus } from '../../contract/catalog/benchmarks.schemas.ts'
import type { NewNamespace } from '../../contract/creator/namespaces.schemas.ts'
import type { NewPackageReview, Package, PackageCheck, PackageDryRun } from '../../contract/creator/packages.schemas.ts'
import { useChange, useCreation, useOnce } from '../api/changes.ts'
import { announce } from '../api/announcements.ts'
import { call } from '../api/client.ts'
import { everyPage, pagedQuery } from '../api/pages.ts'
import { upload } from '../api/upload.ts'
import { filePrints, useUploadedWork } from '../api/uploaded-work.ts'
import { isBeingChecked } from './creator-words.ts'

const CHECKS_POLL_MS = 700

export function useNamespaces() {
  return useInfiniteQuery(
    pagedQuery(['creator', 'namespaces'], (cursor, signal) => call('listNamespaces', { query: { cursor, limit: 100 } }, { signal })),
  )
}

export function usePackages(filters: { readonly namespace?: string | undefined; readonly status?: Package['status'] | undefined }) {
  return useInfiniteQuery({
    ...pagedQuery(['creator', 'packages', filters], (cursor, signal) =>
      call('listPackages', { query: { ...filters, cursor, limit: 50 } }, { signal }),
    ),
    refetchInterval: query => (query.state.data?.pages.some(({ items }) => items.some(isBeingChecked)) ? CHECKS_POLL_MS : false),
  })
}

/** Read again while its checks run. */
export const packageQuery = (id: string) =>
  queryOptions({
    queryKey: ['creator', 'package', id],
    queryFn: ({ signal }) => call('getPackage', { params: { package_id: id } }, { signal }),
    refetchInterval: query => (query.state.data && isBeingChecked(query.state.data) ? CHECKS_POLL_MS : false),
  })

/** Newest first. The status is part of the key: the last check ends together with the checking. */
export const reviewsQuery = ({ id, status }: Pick<Package, 'id' | 'status'>) =>
  queryOptions({
    queryKey: ['creator', 'reviews', id, status],
    queryFn: ({ signal }) =>
      everyPage(cursor => call('listPackageReviews', { params: { package_id: id }, query: { cursor, limit: 100 } }, { signal })),
    refetchInterval: isBeingChecked({ status }) ? CHECKS_POLL_MS : false,
    placeholderData: before => before,
  })

/** The job that checks a package, read again while it runs. */
export const checksJobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['creator', 'job', jobId],
    queryFn: ({ signal }) => call('getJob', { params: { job_id: jobId } }, { signal }),
    refetchInterval: CHECKS_POLL_MS,
  })

export const taskSampleQuery = (id: string, seed: number, profile: string | undefined) =>
  queryOptions({
    queryKey: ['creator', 'tasks', id, seed, profile],
    queryFn: ({ signal }) => call('samplePackageTasks', { params: { package_id: id }, query: { seed, profile } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The tasks that a check's latest outcome concerns. */
export const concernedTasksQuery = (id: string, check: PackageCheck, reviewId: string) =>
  queryOptions({
    queryKey: ['creator', 'concerned', id, check, reviewId],
    queryFn: ({ signal }) => call('samplePackageTasks', { params: { package_id: id }, query: { check } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export function usePrivateProfiles(q: string, status: BenchmarkStatus | undefined) {
  return useInfiniteQuery(
    pagedQuery(['creator', 'profiles', q, status], (cursor, signal) =>
      call('listPrivateProfiles', { query: { cursor, limit: 50, ...(q ? { q } : {}), status } }, { signal }),
    ),
  )
}

/** The profiles of one package; its status decides theirs. */
export const packageProfilesQuery = ({ id, status, quarantined, profile_ids }: Package) =>
  queryOptions({
    queryKey: ['creator', 'package-profiles', id, status, quarantined],
    queryFn: ({ signal }) => Promise.all(profile_ids.map(profile_id => call('getPrivateProfile', { params: { profile_id } }, { signal }))),
    placeholderData: before => before,
  })

export const useCreateNamespace = () =>
  useCreation('new-namespace', (body: NewNamespace, headers) => call('createNamespace', { body, headers }), ['creator', 'namespaces'])

export const useConfirmKey = () =>
  useChange(
    ({ name, fingerprint }: { readonly name: string; readonly fingerprint: string }) =>
      call('confirmNamespaceKey', { params: { name }, body: { key_fingerprint: fingerprint } }),
    ['creator', 'namespaces'],
  )

/** One upload of a package file: its progress, and the package or what a dry run says. A newer upload takes the place of an older. */
export function usePackageUpload(dryRun: boolean) {
  const client = useQueryClient()
  return useUploadedWork<File, Package | PackageDryRun>(`package-upload-${dryRun ? 'dry' : 'real'}`, {
    start: (file, { headersFor, ...how }) =>
      upload('createPackage', { fields: { dry_run: dryRun }, files: [file], headers: headersFor(filePrints([file])), ...how }),
    onEnd: () => {
      announce(dryRun ? 'Dry run ready' : 'Package uploaded')
      if (!dryRun) void client.invalidateQueries({ queryKey: ['creator'] })
    },
  })
}

/** What a person does with a package; each refreshes packages and profiles. */
export function usePackageActions(id: string) {
  const params = { package_id: id }
  const shown = [['creator'], ['catalog']]
  return {
    review: useChange(
      useOnce(`package-review-${id}`, (body: NewPackageReview, headers) => call('createPackageReview', { params, body, headers })),
      ...shown,
    ),
    quarantine: useChange((note: string) => call('quarantinePackage', { params, body: { note } }), ...shown),
    recheck: useChange(() => call('recheckPackage', { params }), ...shown),
    publish: useChange(() => call('publishPackage', { params }), ...shown),
    withdraw: useChange(() => call('withdrawPackage', { params }), ...shown),
  }
}
