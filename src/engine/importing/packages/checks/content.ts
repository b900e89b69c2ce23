import { scrubSecrets } from '../../../../lib/scrub-secrets.ts'
import { textSegments } from '../../../../lib/format/visible-text.ts'
import { checkResult, type CheckResult, type PackageTask } from '../package-task.ts'

/** A text of the package and its location: a task's id, or a path. */
export interface PackageText {
  readonly place: string
  readonly isTask: boolean
  readonly text: string
}

const email = /(?<![\w.+-])[\w.+-]{1,64}@(?!example\.)(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24}\b/i
const phone = /(?<![\d.-])\+\d{1,3}[ -]?\(?\d{2,4}\)?(?:[ -]?\d{2,4}){2,4}(?![\d.-])/

/** Secrets fail; addresses and telephone numbers of people warn. */
export function checkSecrets(texts: readonly PackageText[]): CheckResult {
  const secrets = texts.filter(({ text }) => scrubSecrets(text) !== text)
  const personal = texts.filter(({ text }) => email.test(text) || phone.test(text))
  const figures = { texts: texts.length, secrets: secrets.length, personal: personal.length }
  if (secrets.length > 0)
    return checkResult(
      'secrets',
      'fail',
      `Possible secrets in ${places(secrets)}. Remove them, and revoke them where they were issued.`,
      figures,
      taskIds(secrets),
    )
  if (personal.length > 0)
    return checkResult(
      'secrets',
      'warn',
      `Email addresses or telephone numbers in ${places(personal)}. Make sure that they may be shared.`,
      figures,
      taskIds(personal),
    )
  return checkResult('secrets', 'pass', 'No secrets or personal contact details were found.', figures)
}

const active = /<script\b|<foreignObject\b|\bon[a-z]{3,20}\s*=|javascript:|<iframe\b|<!ENTITY/i

/** Hidden control and bidirectional characters warn; SVG and HTML files that run code or load anything fail. */
export function checkHiddenCharacters(texts: readonly PackageText[], markup: readonly PackageText[]): CheckResult {
  const hidden = texts.filter(({ text }) => textSegments(text).some(({ kind }) => kind === 'hidden'))
  const running = markup.filter(({ text }) => active.test(text))
  const figures = { texts: texts.length, hidden: hidden.length, active_files: running.length }
  if (running.length > 0)
    return checkResult(
      'hidden_characters',
      'fail',
      `Scripts or event handlers in ${places(running)}. Remove them; assets must be inert.`,
      figures,
    )
  if (hidden.length > 0)
    return checkResult(
      'hidden_characters',
      'warn',
      `Invisible characters in ${places(hidden)}. Remove them unless they are meant.`,
      figures,
      taskIds(hidden),
    )
  return checkResult('hidden_characters', 'pass', 'All text is visible and all assets are inert.', figures)
}

function places(texts: readonly PackageText[]): string {
  const shown = texts.slice(0, 3).map(({ place, isTask }) => (isTask ? `task "${place}"` : `"${place}"`))
  const more = texts.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function taskIds(texts: readonly PackageText[]): string[] {
  return texts.filter(({ isTask }) => isTask).map(({ place }) => place)
}

/** Every text of a task. */
export function textsOf(tasks: readonly PackageTask[]): PackageText[] {
  return tasks.map(({ id, input, targets, choices, reference, others }) => ({
    place: id,
    isTask: true,
    text: [input, ...targets, ...(choices ?? []), reference ?? '', ...others].join('\n'),
  }))
}
