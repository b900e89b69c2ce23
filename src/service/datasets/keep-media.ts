import { digestsIn } from '../../engine/importing/datasets/example-archive.ts'
import type { Media } from '../media/index.ts'
import type { DatasetRow } from './datasets.store.ts'

/** Keeps the stored files that an example names for as long as its dataset is there; within the caller's transaction. */
export function keepMedia(
  media: Pick<Media, 'find' | 'keep'>,
  { no: datasetNo, workspaceId }: Pick<DatasetRow, 'no' | 'workspaceId'>,
  json: string,
): void {
  const files = [...digestsIn(json)].flatMap(digest => media.find(workspaceId, digest) ?? [])
  if (files.length > 0) media.keep(workspaceId, { datasetNo }, files)
}
