import { Box, Checkbox } from '@mantine/core'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import type { FetchMedia } from '../../contract/catalog/remote-media.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'

/** Asks, for each host at which rows name media files, whether they are downloaded from there. */
export function FetchMediaChoice({
  record,
  unchosen,
  chosen,
  onChange,
}: {
  readonly record: Pick<ImportRecord, 'remote_media'> | null
  /** What becomes of rows that show the files of a host that is not chosen, where they are imported all the same. */
  readonly unchosen?: string
  readonly chosen: FetchMedia
  readonly onChange: (chosen: FetchMedia) => void
}) {
  const hosts = record?.remote_media ?? []
  if (hosts.length === 0) return null
  return (
    <Checkbox.Group
      label="Media at other addresses"
      description={`Downloaded when you import, without credentials. Nothing is downloaded for the preview.${unchosen ? ` ${unchosen}` : ''}`}
      value={hosts.flatMap(({ host, files }) => ((chosen[host] ?? 0) >= files ? [host] : []))}
      onChange={names => onChange(Object.fromEntries(hosts.flatMap(({ host, files }) => (names.includes(host) ? [[host, files]] : []))))}
    >
      <Box className="stack" mt={8}>
        {hosts.map(({ host, files }) => (
          <Checkbox key={host} value={host} label={`Download ${formatCount(files)} ${files === 1 ? 'file' : 'files'} from ${host}`} />
        ))}
      </Box>
    </Checkbox.Group>
  )
}

/** Of an import that failed, where hosts were chosen. */
export function keptMedia({ remote_media: hosts }: Pick<ImportRecord, 'remote_media'>): string | null {
  return hosts.some(({ allowed }) => allowed)
    ? 'Media that were downloaded are kept for a day, so the next try needs only the others.'
    : null
}

/** What is sent of the choice: nothing where no host was chosen. */
export function chosenMedia(chosen: FetchMedia): { readonly fetch_media?: FetchMedia } {
  return Object.keys(chosen).length === 0 ? {} : { fetch_media: chosen }
}
