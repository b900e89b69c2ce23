import { z } from 'zod'
import { MaxImagePixels, Runner } from '../catalog/benchmarks.schemas.ts'
import { ResponseFormat } from '../connections/request-settings.schemas.ts'
import { named, Sha256 } from '../primitives.ts'
import { CreatorName } from './namespaces.schemas.ts'

const semver = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/
const path = z.string().min(1).max(200).describe('Path inside the package.')
const column = z.string().min(1).max(200).describe('Name of a field of a task row.')

export const PackageVersion = z
  .string()
  .max(60)
  .regex(semver, 'must be a semantic version such as 1.0.0, without build metadata')
  .meta({ example: '1.0.0' })

const SplitFile = z.strictObject({ file: path, sha256: Sha256 })

export const PackageMetric = z.strictObject({
  id: z.string().min(1).max(60),
  title: z.string().min(1).max(120).optional(),
  scorer: z.string().min(1).max(120).describe('A scorer of the registry, e.g. `assay/exact_match`.'),
  options: z.record(z.string(), z.unknown()).default({}),
  primary: z.boolean().default(false),
  binary: z.boolean().default(true).describe('False if values lie between 0 and 1; determines the interval method.'),
})

export const PackageProfile = z.strictObject({
  key: z
    .string()
    .min(1)
    .max(60)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits joined by dashes'),
  title: z.string().min(1).max(120),
  split: z.enum(['test', 'canonical']).default('test'),
  prompt_template: z.string().min(1).max(50_000).describe('The user message; `{input}` and `{choices}` are replaced.'),
  system_prompt: z.string().max(50_000).optional(),
  shots: z
    .int()
    .min(0)
    .max(64)
    .default(0)
    .describe(
      'Worked examples before each task: the first tasks of the `canonical` split, each by the prompt template with its answer on the next line.',
    ),
  generation: z
    .strictObject({
      temperature: z.number().min(0).max(2).nullable().default(0),
      max_output_tokens: z.int().min(1).max(1_000_000).default(1024),
      stop: z.array(z.string().min(1).max(200)).max(4).default([]),
      response_format: z
        .exactOptional(ResponseFormat)
        .describe(
          'Structured output, refused at the quote where a protocol has none. A metric of `assay/json_schema` with the same schema grades it.',
        ),
      max_image_pixels: z.exactOptional(MaxImagePixels),
    })
    .prefault({}),
  metrics: z.array(PackageMetric).min(1).max(20).describe('Exactly one is primary; the first if none is marked.'),
  chance_level: z.number().min(0).max(1).optional().describe('Compared with the computed chance; a different value fails the check.'),
})

/** `assay.package.json`: metadata, prompts and scoring of a benchmark package. */
export const PackageManifest = named('PackageManifest', {
  $schema: z.string().optional(),
  format: z.literal('assay.package/1'),
  namespace: CreatorName,
  name: CreatorName,
  version: PackageVersion,
  title: z.string().trim().min(1).max(200),
  summary: z.string().max(2000),
  license: z.string().min(1).max(120).describe('SPDX identifier or expression, e.g. `CC-BY-4.0`.'),
  creators: z
    .array(z.strictObject({ name: z.string().min(1).max(200), url: z.url({ protocol: /^https?$/ }).optional() }))
    .min(1)
    .max(50),
  citation: z.string().max(5000).optional(),
  homepage: z.url({ protocol: /^https?$/ }).optional(),
  languages: z.array(z.string().min(2).max(35)).max(50).default([]).describe('BCP 47 tags.'),
  capabilities: z.array(z.string().min(1).max(80)).max(50).default([]),
  derived_from: z.array(z.string().min(1).max(300)).max(20).default([]).describe('Source refs or URLs of the works it is derived from.'),
  extractive: z.boolean().default(false).describe('Answers are expected to occur in the prompt, so the target leak check does not apply.'),
  canary: z.string().max(500).optional(),
  runner: Runner,
  splits: z.strictObject({ test: SplitFile, canonical: SplitFile.optional() }),
  fields: z.strictObject({
    id: column,
    input: column,
    target: column.optional(),
    choices: column.optional(),
    reference: column.optional().describe('A solution that must score 1 three times in a row.'),
    cluster: column.optional(),
    media: z
      .record(z.string().regex(/^\w{1,64}$/, 'must be 1 to 64 letters, digits or underscores'), column)
      .optional()
      .describe(
        'Columns with images, audio or documents, by the name that a mark in the question uses: paths of assets, data URIs, base64, or lists of those. Marks (`{name}`, `<image>`, `<image 1>`) say where they stand; without a mark they come first.',
      ),
  }),
  profiles: z.array(PackageProfile).min(1).max(50),
  world: z
    .exactOptional(z.strictObject({ files: z.array(SplitFile).min(1).max(200) }))
    .describe(
      'An environment: the files of the folder `world`, in the form of `assay world` (`world.yaml`, `tasks.jsonl`, `tools/*.js`, `cassettes/*.jsonl`). It takes the place of `splits`, `fields` and `profiles`, and names no judge and no `user_model`, since models belong to one workspace.',
    ),
  assets: z
    .array(z.strictObject({ path, sha256: Sha256, media_type: z.string().min(3).max(120) }))
    .max(20_000)
    .default([]),
  sandbox: z.strictObject({ language: z.enum(['python', 'javascript']), timeout_ms: z.int().min(100).max(120_000) }).optional(),
})
export type PackageManifest = z.infer<typeof PackageManifest>

/** The manifest as a file of a package: a `croissant.json` beside it may describe the splits and fields in its place, and a world all. */
export const PackageManifestFile = PackageManifest.partial({ splits: true, fields: true, profiles: true })
  .refine(({ splits, fields }) => (splits === undefined) === (fields === undefined), {
    message: 'must be there together with "fields"; a croissant.json replaces both',
    path: ['splits'],
  })
  .refine(({ profiles, world }) => (profiles === undefined) !== (world === undefined), {
    message: 'must be there exactly where there is no "world", which has profiles of its own',
    path: ['profiles'],
  })
  .refine(({ splits, world }) => splits === undefined || world === undefined, {
    message: 'must not be there beside "world", whose tasks are in "world/tasks.jsonl"',
    path: ['splits'],
  })
  .meta({
    id: 'PackageManifestFile',
    dependentRequired: { splits: ['fields'], fields: ['splits'] },
    oneOf: [{ required: ['profiles'] }, { required: ['world'] }],
  })

const TaskRow = z.record(z.string(), z.unknown())

/** A package sent as JSON, up to 1 MiB; larger ones are zip files. The digests of its splits and assets are computed here. */
export const NewPackage = named('NewPackage', {
  manifest: PackageManifest.omit({ splits: true, assets: true, world: true }),
  tasks: z.strictObject({ test: z.array(TaskRow).min(1).max(100_000), canonical: z.array(TaskRow).max(100_000).optional() }),
  assets: z
    .array(z.strictObject({ path, content_base64: z.base64(), media_type: z.string().min(3).max(120) }))
    .max(1000)
    .default([]),
  dry_run: z.boolean().default(false),
})
export type NewPackage = z.infer<typeof NewPackage>
