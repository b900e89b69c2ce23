import { mostRepeats } from '../../../tasks/prompt-limits.ts'
import type { PackageManifest } from '../../../../contract/creator/manifest.schemas.ts'
import { mixedScriptsCaution } from '../../../../lib/format/mixed-scripts.ts'
import { ScorerConfigError } from '../../../grading/scorers/config-error.ts'
import { codeLanguages, codeScorers } from '../../../grading/scorers/code/code-scorers.ts'
import { prepareScorer } from '../../../grading/scorers/registry.ts'
import { croissantPath } from '../croissant/croissant-terms.ts'
import { type OpenedPackage, signaturePath } from '../open-package.ts'
import { checkResult, type CheckResult } from '../package-task.ts'
import { manifestPath } from '../read-manifest.ts'

/** SPDX identifiers that benchmarks are commonly published under; others are warned about, since they may be misspelt. */
const spdx = new Set(
  `0BSD AFL-3.0 AGPL-3.0-only AGPL-3.0-or-later Apache-2.0 Artistic-2.0 BSD-2-Clause BSD-3-Clause BSL-1.0 C-UDA-1.0 CC0-1.0 CC-BY-3.0
  CC-BY-4.0 CC-BY-NC-3.0 CC-BY-NC-4.0 CC-BY-NC-ND-4.0 CC-BY-NC-SA-3.0 CC-BY-NC-SA-4.0 CC-BY-ND-4.0 CC-BY-SA-3.0 CC-BY-SA-4.0
  CC-PDDC CDLA-Permissive-1.0 CDLA-Permissive-2.0 CDLA-Sharing-1.0 ECL-2.0 EPL-2.0 EUPL-1.2 GFDL-1.3-only GFDL-1.3-or-later
  GPL-2.0-only GPL-2.0-or-later GPL-3.0-only GPL-3.0-or-later ISC LGPL-2.1-only LGPL-2.1-or-later LGPL-3.0-only LGPL-3.0-or-later MIT
  MIT-0 MPL-2.0 MS-PL NCSA O-UDA-1.0 ODbL-1.0 ODC-By-1.0 OGL-UK-3.0 PDDL-1.0 PostgreSQL PSF-2.0 Unlicense UPL-1.0 WTFPL Zlib`.split(/\s+/),
)

/** Whether the manifest fits the files and itself. Any fault fails; a license that is not a known SPDX identifier warns. */
export function checkManifest(opened: OpenedPackage): CheckResult {
  const { manifest, files } = opened
  const faults = [...fileFaults(opened), ...profileFaults(manifest)]
  const licenses = manifest.license.split(/[()\s]+/).filter(word => word !== '' && !['AND', 'OR', 'WITH'].includes(word))
  if (licenses.some(license => /^(?:none|noassertion)$/i.test(license)))
    faults.push('The package has no license; name the one that it is published under.')
  const figures = { files: files.length, profiles: manifest.profiles.length, faults: faults.length }
  if (faults.length > 0) return checkResult('manifest', 'fail', faults.slice(0, 5).join(' '), figures)
  const unknown = licenses.filter(license => !spdx.has(license) && !license.startsWith('LicenseRef-'))
  const cautions = [manifest.title, ...manifest.creators.map(({ name }) => name)].flatMap(name => mixedScriptsCaution(name) ?? [])
  if (unknown.length > 0) cautions.unshift(`"${unknown.join('", "')}" is no SPDX identifier that is known here. Check its spelling.`)
  if (cautions.length > 0) return checkResult('manifest', 'warn', cautions.slice(0, 5).join(' '), figures)
  return checkResult('manifest', 'pass', 'The manifest fits the files.', figures)
}

function fileFaults({ manifest: { splits, assets, world }, files, croissant }: OpenedPackage): string[] {
  const faults: string[] = []
  const present = new Map(files.map(file => [file.path, file]))
  const named = (world?.files ?? [splits.test, ...(splits.canonical ? [splits.canonical] : [])]).map(({ file, sha256 }) => ({
    path: file,
    sha256,
  }))
  // A Croissant description lists every file of its distribution, those of the splits among them.
  const declared = [...(croissant ? croissant.files : named), ...assets]
  for (const { path, sha256 } of declared) {
    const file = present.get(path)
    if (!file) faults.push(`The manifest names "${path}", which the package does not hold.`)
    else if (file.sha256 !== sha256) faults.push(`"${path}" has the SHA-256 ${file.sha256}, not ${sha256} as the manifest says.`)
  }
  const paths = declared.map(({ path }) => path)
  for (const path of repeated(paths)) faults.push(`The manifest names "${path}" twice.`)
  const known = new Set([manifestPath, signaturePath, ...(croissant ? [croissantPath] : []), ...paths])
  for (const { path } of files) if (!known.has(path)) faults.push(`"${path}" is in the package, but the manifest does not name it.`)
  return faults
}

/** Those that are there before, in linear time: a manifest may name 20,000 files. */
function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter(name => seen.size === seen.add(name).size)
}

function profileFaults({ profiles, splits, fields: { media = {} } }: PackageManifest): string[] {
  const faults: string[] = []
  const keys = profiles.map(({ key }) => key)
  for (const key of repeated(keys)) faults.push(`Two profiles have the key "${key}".`)
  for (const { key, prompt_template, metrics, shots, split, generation } of profiles) {
    const where = `Profile "${key}"`
    if (!prompt_template.includes('{input}')) faults.push(`${where}: the prompt template has no "{input}".`)
    const placed = Object.keys(media).find(field => prompt_template.includes(`{${field}}`))
    if (placed !== undefined)
      faults.push(`${where}: the prompt template places {${placed}}, which holds files. Write the mark in the question instead.`)
    const inputs = prompt_template.split('{input}').length - 1
    if (inputs > mostRepeats)
      faults.push(`${where}: the prompt template holds "{input}" ${inputs.toLocaleString('en')} times; ${mostRepeats} are allowed.`)
    if ((shots > 0 || split === 'canonical') && !splits.canonical) faults.push(`${where} needs a canonical split.`)
    if (metrics.filter(({ primary }) => primary).length > 1) faults.push(`${where} has more than one primary metric.`)
    const ids = metrics.map(({ id }) => id)
    for (const id of repeated(ids)) faults.push(`${where} has the metric "${id}" twice.`)
    const { response_format: format } = generation
    for (const scorer of [...metrics, ...(format ? [{ scorer: 'assay/json_schema', options: { schema: format.schema } }] : [])]) {
      const fault = scorerFault(scorer)
      if (fault !== null) faults.push(`${where}: ${fault}`)
    }
  }
  return faults
}

function scorerFault(metric: Pick<PackageManifest['profiles'][number]['metrics'][number], 'scorer' | 'options'>): string | null {
  try {
    if (codeScorers.has(metric.scorer)) codeLanguages([metric])
    else prepareScorer(metric)
    return null
  } catch (error) {
    if (error instanceof ScorerConfigError) return error.message
    throw error
  }
}
