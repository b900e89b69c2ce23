import type { Package } from '../../contract/creator/packages.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

type File = Package['files'][number]

/** More than these are not listed on the page. */
const shownFiles = 50

const columns: readonly Column<File>[] = [
  { id: 'path', title: 'File', width: 240, grow: true, rowHeader: true, cell: ({ path }) => <UntrustedText text={path} layout="prose" /> },
  { id: 'bytes', title: 'Size', width: 96, align: 'end', cell: ({ bytes }) => <span className="num">{formatBytes(bytes)}</span> },
  { id: 'sha256', title: 'SHA-256', width: 200, cell: ({ sha256 }) => <Identifier value={sha256} what="digest" shown={16} /> },
]

export function PackageFiles({ of: { files } }: { readonly of: Package }) {
  return (
    <Section title="Files" aside={<span className="quiet num">{formatCount(files.length)}</span>}>
      <PlainTable label="Files" columns={columns} rows={files.slice(0, shownFiles)} rowId={({ path }) => path} />
      {files.length > shownFiles ? (
        <p className="quiet">{formatCount(files.length - shownFiles)} more files are in the package. Export it to see them all.</p>
      ) : null}
    </Section>
  )
}
