import type { BenchmarkDetail } from '../../../contract/catalog/benchmarks.schemas.ts'
import { bufferedWriter } from '../report/buffered-writer.ts'

interface TaskSplit {
  readonly id: string
  readonly split: string
}

/** The context that the specification of Croissant 1.0 prescribes. */
const context = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  cr: 'http://mlcommons.org/croissant/',
  rai: 'http://mlcommons.org/croissant/RAI/',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  dct: 'http://purl.org/dc/terms/',
  examples: { '@id': 'cr:examples', '@type': '@json' },
  extract: 'cr:extract',
  field: 'cr:field',
  fileProperty: 'cr:fileProperty',
  fileObject: 'cr:fileObject',
  fileSet: 'cr:fileSet',
  format: 'cr:format',
  includes: 'cr:includes',
  isLiveDataset: 'cr:isLiveDataset',
  jsonPath: 'cr:jsonPath',
  key: 'cr:key',
  md5: 'cr:md5',
  parentField: 'cr:parentField',
  path: 'cr:path',
  recordSet: 'cr:recordSet',
  references: 'cr:references',
  regex: 'cr:regex',
  repeated: 'cr:repeated',
  replace: 'cr:replace',
  sc: 'https://schema.org/',
  separator: 'cr:separator',
  source: 'cr:source',
  subField: 'cr:subField',
  transform: 'cr:transform',
}

/** A benchmark version in the Croissant vocabulary 1.0: what it is, whose, where its files are published, and which tasks it has. */
export async function renderCroissant(
  benchmark: BenchmarkDetail,
  versionName: string,
  tasks: Iterable<TaskSplit>,
  write: (chunk: string) => Promise<void>,
): Promise<void> {
  const version = benchmark.versions.find(one => one.version === versionName)
  if (!version) throw new RangeError(`${benchmark.slug} has no version ${versionName}.`)
  const out = bufferedWriter(write)
  const head = {
    '@context': context,
    '@type': 'sc:Dataset',
    name: benchmark.title,
    conformsTo: 'http://mlcommons.org/croissant/1.0',
    description: benchmark.description,
    license: benchmark.license.url ?? benchmark.license.name,
    url: benchmark.homepage ?? version.source_ref,
    identifier: version.source_ref,
    version: `0.0.0+${version.version.replaceAll(/[^0-9A-Za-z.-]/g, '-')}`,
    datePublished: version.created_at,
    creator: { '@type': 'sc:Organization', name: benchmark.provider },
    keywords: benchmark.capabilities,
    ...(benchmark.citation === null ? {} : { citeAs: benchmark.citation }),
    isLiveDataset: false,
    distribution: version.files.map(file => fileObject(file, benchmark)),
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

function encodingOf(name: string): string {
  const ending = /\.(\w+)(?:\.gz)?$/.exec(name)?.[1]?.toLowerCase() ?? ''
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
