import type { PackageManifest } from '../../../../contract/creator/manifest.schemas.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Record sets of Croissant 1.1 for the tasks of a package: one for each split, with its fields by the columns that they are read from. Put
 * into `croissant.json`, they are read as the same splits and fields.
 */
export function packageRecordSets({ splits, fields }: Pick<PackageManifest, 'splits' | 'fields'>): Json[] {
  const present = (['test', 'canonical'] as const).flatMap(split => {
    const file = splits[split]?.file
    return file === undefined ? [] : [{ split, file }]
  })
  return [
    {
      '@type': 'cr:RecordSet',
      '@id': 'splits',
      dataType: 'cr:Split',
      key: { '@id': 'splits/name' },
      field: [
        { '@type': 'cr:Field', '@id': 'splits/name', dataType: 'sc:Text' },
        { '@type': 'cr:Field', '@id': 'splits/url', dataType: 'cr:Split' },
      ],
      data: present.map(({ split }) => ({ 'splits/name': split, ...(split === 'test' ? { 'splits/url': 'cr:TestSplit' } : {}) })),
    },
    ...present.map(({ split, file }) => ({
      '@type': 'cr:RecordSet',
      '@id': split,
      field: [
        ...columnsOf(fields).map(([part, column]) => ({
          '@type': 'cr:Field',
          '@id': `${split}/${part}`,
          name: part,
          dataType: 'sc:Text',
          ...(part === 'choices' ? { isArray: true, arrayShape: '-1' } : {}),
          source: { fileObject: { '@id': file }, extract: extractOf(column, file) },
        })),
        {
          '@type': 'cr:Field',
          '@id': `${split}/split`,
          name: 'split',
          dataType: 'sc:Text',
          references: { '@id': 'splits/name' },
          value: split,
        },
      ],
    })),
  ]
}

/** Columns of files are described by the manifest alone. */
function columnsOf(fields: PackageManifest['fields']): (readonly [part: string, column: string])[] {
  return Object.entries(fields).flatMap(([part, column]) => (typeof column === 'string' ? [[part, column] as const] : []))
}

function extractOf(column: string, file: string): Json {
  if (!/\.jsonl?$/i.test(file) || /['\\]/.test(column)) return { column }
  const root = /\.json$/i.test(file) ? '$[*]' : '$'
  return { jsonPath: /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(column) ? `${root}.${column}` : `${root}['${column}']` }
}

/** A package's own description as one of version 1.1: whatever is read of it means the same in both. */
export function asVersion11(description: Json): Json {
  const key = Object.keys(description).find(name => /(?:^|[:/])conformsTo$/.test(name)) ?? 'conformsTo'
  return { ...description, [key]: 'http://mlcommons.org/croissant/1.1' }
}
