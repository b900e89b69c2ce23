import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'

type Checksum = ImportRecord['files'][number]['checksum']

export const checksumWords: Readonly<Record<Checksum, string>> = {
  matches_upstream: 'same bytes as upstream',
  differs_from_upstream: 'differs from upstream',
  unknown_upstream: 'upstream checksum not known',
}
