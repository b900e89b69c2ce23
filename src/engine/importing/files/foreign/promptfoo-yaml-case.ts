import { z } from 'zod'
import { describeFirst } from '../../../../contract/describe-issue.ts'
import { RowError } from '../row.ts'
import { isFilePath, type SentFiles } from './promptfoo-files.ts'
import { type PromptfooCase, readAssertions } from './promptfoo-case.ts'
import { readScript, type ScriptLanguage } from './promptfoo-script.ts'

const Options = z.looseObject({
  prefix: z.string().nullish(),
  suffix: z.string().nullish(),
  disableVarExpansion: z.boolean().nullish(),
  transform: z.string().nullish(),
  postprocess: z.string().nullish(),
})
const Vars = z.record(z.string(), z.unknown())

const Case = z.looseObject({
  description: z.string().nullish(),
  vars: z.union([Vars, z.string(), z.array(z.string())]).nullish(),
  assert: z.array(z.unknown()).nullish(),
  threshold: z.number().nullish(),
  options: Options.nullish(),
  provider: z.union([z.string(), z.looseObject({ id: z.string().optional() })]).nullish(),
})

/** What `defaultTest` gives every test. */
type Defaults = z.infer<typeof Case>

/** Parts of a test that are not imported, and what happens instead. */
const leftParts: Readonly<Record<string, string>> = {
  providerOutput: 'the model of a run is asked',
  assertScoringFunction: 'the score is the weighted mean of the assertions',
  prompts: 'every prompt asks the test',
  providers: 'every model is asked',
}
const mostCombinations = 10_000
const addedId = /^(?:return)?\{\.\.\.vars,(\w+):context\.uuid,?\};?$/
/** What makes an object a test, as promptfoo checks it. */
const partsOfTest: ReadonlySet<string> = new Set([
  'assert',
  'options',
  'metadata',
  'provider',
  'providerOutput',
  'threshold',
  'description',
])

/** What the tests of a configuration share. */
export interface Shared {
  readonly defaults: Defaults
  readonly files: SentFiles
  /** `assertionTemplates` of the configuration. */
  readonly templates: Readonly<Record<string, unknown>>
  /** Of their scripts. */
  readonly language: ScriptLanguage
}

/** A test whose variables are lists of texts becomes one for each combination, unless its options say not to; other lists are one value. */
export function* expandVars(value: Readonly<Record<string, unknown>>, { defaults, files }: Shared): Generator<Record<string, unknown>> {
  const parsed = readCase(value)
  const vars = Object.fromEntries(
    Object.entries({ ...varsOf(defaults.vars, files), ...varsOf(parsed.vars, files) }).map(([name, item]) => [name, filesOf(item, files)]),
  )
  const isKept = (parsed.options ?? defaults.options)?.disableVarExpansion === true
  const lists = isKept
    ? []
    : Object.entries(vars).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && typeof entry[1][0] === 'string')
  const combinations = lists.reduce((product, [, list]) => product * list.length, 1)
  if (combinations > mostCombinations)
    throw new RowError(`The variables of the test have ${combinations} combinations; at most ${mostCombinations} are made.`)
  for (let i = 0; i < combinations; i++) {
    let rest = i
    // As in promptfoo, the last list changes with every test and the first least often.
    const chosen = lists.toReversed().map(([name, list]) => {
      const item = list[rest % list.length]
      rest = Math.floor(rest / list.length)
      return [name, item] as const
    })
    yield { ...value, vars: { ...vars, ...Object.fromEntries(chosen) } }
  }
}

/** Variables, or the files of settings that hold them. */
function varsOf(vars: Defaults['vars'], files: SentFiles): Record<string, unknown> {
  if (typeof vars !== 'string' && !Array.isArray(vars)) return { ...vars }
  return Object.fromEntries(
    [vars].flat().flatMap(path => {
      const read = Vars.safeParse(files.settings(path))
      if (!read.success) throw new RowError(`"${path.slice(0, 100)}" must hold variables by their names.`)
      return Object.entries(read.data)
    }),
  )
}

/** A pattern of files stands for a list of them. */
function filesOf(value: unknown, files: SentFiles): unknown {
  if (!isFilePath(value) || !/[*?{]/.test(value)) return value
  return files.matching(value).map(({ name }) => `file://${name}`)
}

const shown = /\.(?:jpe?g|png|gif|webp|mp3|wav|pdf)$/i
const unshown = /\.(?:bmp|svg|mp4|webm|mov|avi|mkv|ogg|flac|m4a)$/i

/** The text of a variable that is a file. */
function variable(name: string, value: unknown, files: SentFiles): unknown {
  if (!isFilePath(value)) return typeof value === 'string' ? value.replace(/\n$/, '') : value
  if (/\.(?:py|[cm]?[jt]s)$/.test(value))
    throw new RowError(`The variable "${name.slice(0, 60)}" is a program, which cannot be imported. Save what it makes as a text.`)
  if (shown.test(value)) return files.mark(value)
  if (unshown.test(value))
    throw new RowError(
      `The variable "${name.slice(0, 60)}" is a file of a kind that models are not shown here. Use PNG, JPEG, GIF, WebP, MP3, WAV or PDF.`,
    )
  return /\.ya?ml$/i.test(value) ? JSON.stringify(files.settings(value)) : files.text(value).trim()
}

/** Variables named in others, as often as promptfoo looks. */
function resolved(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const vars = { ...given }
  for (let round = 0; round < 5; round++) {
    for (const [name, value] of Object.entries(vars)) {
      if (typeof value !== 'string') continue
      vars[name] = value.replace(/\{\{\s*(\w+)\s*\}\}/, (whole, named: string) => {
        const other = Object.hasOwn(vars, named) ? vars[named] : undefined
        return typeof other === 'string' || typeof other === 'number' ? String(other) : whole
      })
    }
  }
  return vars
}

/** @param value whose variables are expanded @throws RowError */
export function caseOfItem(value: Readonly<Record<string, unknown>>, { defaults, files, templates, language }: Shared): PromptfooCase {
  const parsed = readCase(value)
  const columns = Object.keys(value).filter(name => name !== 'vars')
  if (Object.keys(parsed.vars ?? {}).length === 0 && columns.length > 0 && !columns.some(name => partsOfTest.has(name)))
    throw new RowError(
      `Put the variables of the test under "vars": ${columns
        .slice(0, 5)
        .map(name => `"${name.slice(0, 40)}"`)
        .join(', ')} aren’t parts of a test.`,
    )
  const { assert, threshold, options, description, provider } = parsed
  const vars = resolved(
    Object.fromEntries(Object.entries(varsOf(parsed.vars, files)).map(([name, item]) => [name, variable(name, item, files)])),
  )
  const { assertions, left } = readAssertions(
    [...(assert ?? []), ...(defaults.assert ?? [])].map(one => referred(one, templates)),
    { vars, files, language },
  )
  const { transform, left: untransformed } = readTransform({ ...defaults.options, ...options }, files, language)
  return {
    vars,
    assertions,
    left: [...left, ...untransformed, ...partsLeft(value, defaults), ...otherProvider(provider ?? defaults.provider)],
    threshold: threshold ?? defaults.threshold ?? undefined,
    prefix: options?.prefix ?? defaults.options?.prefix ?? undefined,
    suffix: options?.suffix ?? defaults.options?.suffix ?? undefined,
    description: description ?? undefined,
    transform,
  }
}

/** The change that `options` make to outputs. @throws RowError for one that cannot be made: then nothing of the test could be graded */
function readTransform(
  options: Defaults['options'],
  files: SentFiles,
  language: ScriptLanguage,
): Pick<PromptfooCase, 'transform' | 'left'> {
  const given = options?.transform ?? options?.postprocess
  const left = [
    ...leftVars(options?.['transformVars']),
    ...(options?.['rubricPrompt'] == null ? [] : ['The option "rubricPrompt" is not imported: evaluators have prompts of their own.']),
  ]
  if (given == null) return { left }
  try {
    return { transform: readScript(given, files, language), left }
  } catch (error) {
    throw error instanceof RowError ? new RowError(`The "transform" of the test cannot be imported: ${error.message}.`) : error
  }
}

/** What is said of a program that changes variables. @throws RowError unless it only adds an id to them, as that of a session */
function leftVars(program: unknown): string[] {
  if (program == null) return []
  const [, added] = (typeof program === 'string' && addedId.exec(program.replaceAll(/\s+/g, ''))) || []
  if (added === undefined)
    throw new RowError(
      'The test has the option "transformVars", which changes variables by a program and cannot be imported. Write the changed variables under "vars".',
    )
  return [`The option "transformVars" is not imported: prompts are asked without the id that it adds as "${added.slice(0, 60)}".`]
}

/** What is said where a test names a provider; a conversation is not a single question. @throws RowError */
function otherProvider(provider: Defaults['provider']): string[] {
  if (provider == null) return []
  const id = typeof provider === 'string' ? provider : (provider.id ?? 'without an id')
  if (id.startsWith('promptfoo:simulated-user'))
    throw new RowError(
      `The test is a conversation with "${id.slice(0, 60)}", a user played by a model. Build it as an environment with a simulated user (Environments); a benchmark asks single questions.`,
    )
  return [`The provider of the test, "${id.slice(0, 60)}", is not imported: the model of a run is asked.`]
}

/** An assertion that is referred to, with what the reference changes. */
export function referred(assertion: unknown, templates: Shared['templates']): unknown {
  const { success, data } = z.looseObject({ $ref: z.string() }).safeParse(assertion)
  if (!success) return assertion
  const { $ref: path, ...own } = data
  const found = templates[path.replace(/^#\/assertionTemplates\//, '')]
  return typeof found === 'object' && found !== null ? { ...found, ...own } : assertion
}

/** What `defaultTest` gives, which is refused for what a test is refused for. @throws RowError */
export function readDefaults(value: unknown, files: SentFiles, language: ScriptLanguage): Defaults {
  const parsed = z.record(z.string(), z.unknown()).safeParse((isFilePath(value) ? files.settings(value) : value) ?? {})
  if (!parsed.success) throw new RowError('It must be an object.')
  const defaults = readCase(parsed.data)
  readTransform(defaults.options, files, language)
  return defaults
}

function partsLeft(...of: readonly Readonly<Record<string, unknown>>[]): string[] {
  const given = Object.entries(leftParts).filter(([name]) => of.some(value => value[name] !== undefined && value[name] !== null))
  return given.map(([name, instead]) => `The "${name}" of the test is not imported: ${instead}.`)
}

function readCase(value: Readonly<Record<string, unknown>>): z.infer<typeof Case> {
  const parsed = Case.safeParse(value)
  if (parsed.success) return parsed.data
  throw new RowError(`Of the test, ${describeFirst(parsed.error.issues, 'all')}.`)
}
