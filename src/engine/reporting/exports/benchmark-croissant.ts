import { unpackedName } from '../../../lib/file-name.ts'
import type { BenchmarkDetail } from '../../../contract/catalog/benchmarks.schemas.ts'
import { bufferedWriter } from '../report/buffered-writer.ts'

interface TaskSplit {
  readonly id: string
  readonly split: string
}

/** The context that mlcroissant 1.1 calls standard: that of Croissant 1.0 and what 1.1 adds. */
const context = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  annotation: 'cr:annotation',
  arrayShape: 'cr:arrayShape',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  containedIn: 'cr:containedIn',
  cr: 'http://mlcommons.org/croissant/',
  rai: 'http://mlcommons.org/croissant/RAI/',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  dct: 'http://purl.org/dc/terms/',
  equivalentProperty: 'cr:equivalentProperty',
  examples: { '@id': 'cr:examples', '@type': '@json' },
  excludes: 'cr:excludes',
  extract: 'cr:extract',
  field: 'cr:field',
  fileProperty: 'cr:fileProperty',
  fileObject: 'cr:fileObject',
  fileSet: 'cr:fileSet',
  format: 'cr:format',
  includes: 'cr:includes',
  isArray: 'cr:isArray',
  isLiveDataset: 'cr:isLiveDataset',
  jsonPath: 'cr:jsonPath',
  key: 'cr:key',
  md5: 'cr:md5',
  parentField: 'cr:parentField',
  path: 'cr:path',
  recordSet: 'cr:recordSet',
  references: 'cr:references',
  regex: 'cr:regex',
  readLines: 'cr:readLines',
  repeated: 'cr:repeated',
  replace: 'cr:replace',
  samplingRate: 'cr:samplingRate',
  sc: 'https://schema.org/',
  sdVersion: 'cr:sdVersion',
  separator: 'cr:separator',
  source: 'cr:source',
  subField: 'cr:subField',
  transform: 'cr:transform',
  unArchive: 'cr:unArchive',
  value: 'cr:value',
}

/** A version that was made from a package: its authors, files, and how tasks are read from them. */
export interface PackageContent {
  readonly creators: readonly { readonly name: string; readonly url?: string | undefined }[]
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[]
  readonly recordSets: readonly unknown[]
}

/**
 * A benchmark version in the Croissant vocabulary 1.1: what it is, whose, where its files are published, and which tasks it has.
 * @param content null for a version that was not made from a package
 */
export async function renderCroissant(
  benchmark: BenchmarkDetail,
  versionName: string,
  tasks: Iterable<TaskSplit>,
  content: PackageContent | null,
  write: (chunk: string) => Promise<void>,
): Promise<void> {
  const version = benchmark.versions.find(one => one.version === versionName)
  if (!version) throw new RangeError(`${benchmark.slug} has no version ${versionName}.`)
  const out = bufferedWriter(write)
  const head = {
    '@context': context,
    '@type': 'sc:Dataset',
    name: benchmark.title,
    conformsTo: 'http://mlcommons.org/croissant/1.1',
    description: benchmark.description,
    license: benchmark.license.url ?? benchmark.license.name,
    url: benchmark.homepage ?? version.source_ref,
    identifier: version.source_ref,
    version: content === null ? `0.0.0+${version.version.replaceAll(/[^0-9A-Za-z.-]/g, '-')}` : version.version,
    datePublished: version.created_at,
    creator: content?.creators.map(({ name, url }) => ({ '@type': 'sc:Person', name, ...(url === undefined ? {} : { url }) })) ?? {
      '@type': 'sc:Organization',
      name: benchmark.provider,
    },
    keywords: benchmark.capabilities,
    ...(benchmark.citation === null ? {} : { citeAs: benchmark.citation }),
    isLiveDataset: false,
    distribution: content?.files.map(packageFile) ?? version.files.map(file => fileObject(file, benchmark)),
    ...(content ? { recordSet: content.recordSets } : {}),
  }
  if (content) {
    await out.write(`${JSON.stringify(head)}\n`)
    return out.flush()
  }
  await out.write(JSON.stringify(head).slice(0, -1))
  await out.write(`,"recordSet":[${JSON.stringify(recordSet).slice(0, -1)},"data":[`)
  let separator = '\n'
  for (const { id, split } of tasks) {
    await out.write(separator + JSON.stringify({ 'tasks/id': id, 'tasks/split': split }))
    separator = ',\n'
  }
  await out.write('\n]}]}\n')
  await out.flush()
}

const recordSet = {
  '@type': 'cr:RecordSet',
  '@id': 'tasks',
  name: 'tasks',
  description: 'The tasks of this version in their order. Questions and answers are in the files of the distribution.',
  key: { '@id': 'tasks/id' },
  field: [
    { '@type': 'cr:Field', '@id': 'tasks/id', name: 'id', description: 'Id of the task.', dataType: 'sc:Text' },
    {
      '@type': 'cr:Field',
      '@id': 'tasks/split',
      name: 'split',
      description: 'test, or canonical for the tasks of a reference.',
      dataType: 'sc:Text',
    },
  ],
}

type SourceFile = BenchmarkDetail['versions'][number]['files'][number]

function fileObject({ role, name, bytes, sha256 }: SourceFile, { recipe }: BenchmarkDetail) {
  const published = recipe?.files.find(file => file.role === role)
  return {
    '@type': 'cr:FileObject',
    '@id': `${role}/${name}`,
    name,
    description: published?.purpose ?? `The file "${role}".`,
    contentSize: `${bytes} B`,
    contentUrl: published?.url ?? encodeURIComponent(name),
    encodingFormat: encodingOf(name),
    sha256,
  }
}

/** Its address is the path in the package. */
function packageFile({ path, bytes, sha256 }: PackageContent['files'][number]) {
  return {
    '@type': 'cr:FileObject',
    '@id': path,
    name: path,
    contentSize: `${bytes} B`,
    contentUrl: path.split('/').map(encodeURIComponent).join('/'),
    encodingFormat: encodingOf(path),
    sha256,
  }
}

function encodingOf(name: string): string {
  const ending = /\.(\w+)$/.exec(unpackedName(name))?.[1]?.toLowerCase() ?? ''
  const known: Readonly<Record<string, string>> = {
    json: 'application/json',
    jsonl: 'application/jsonlines',
    csv: 'text/csv',
    tsv: 'text/tab-separated-values',
    parquet: 'application/x-parquet',
    zip: 'application/zip',
    tar: 'application/x-tar',
    txt: 'text/plain',
    yaml: 'application/yaml',
    yml: 'application/yaml',
  }
  return known[ending] ?? 'application/octet-stream'
}
