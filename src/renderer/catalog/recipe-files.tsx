import type { BenchmarkDetail } from '../../contract/catalog/benchmarks.schemas.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { ExternalAddress } from '../ui/values/external-address.tsx'

type RecipeFile = NonNullable<BenchmarkDetail['recipe']>['files'][number]

const columns: readonly Column<RecipeFile>[] = [
  {
    id: 'name',
    title: 'File',
    width: 150,
    rowHeader: true,
    cell: file => (
      <>
        <span className="mono">{file.file_name}</span>
        <div className="quiet">{file.required ? 'required' : 'optional'}</div>
      </>
    ),
  },
  { id: 'purpose', title: 'What for', width: 220, cell: file => file.purpose },
  { id: 'url', title: 'Published at', width: 320, grow: true, cell: file => <ExternalAddress address={file.url} /> },
  {
    id: 'sha256',
    title: 'SHA-256',
    width: 130,
    cell: file => (file.sha256 ? <Identifier value={file.sha256} what="checksum" shown={10} /> : <span className="quiet">not known</span>),
  },
]

export function RecipeFiles({ files }: { readonly files: readonly RecipeFile[] }) {
  return <PlainTable label="Required files" columns={columns} rows={files} rowId={file => `${file.role} ${file.file_name}`} />
}
