import type { BenchmarkStatus } from '../../contract/catalog/benchmarks.schemas.ts'
import type { Namespace } from '../../contract/creator/namespaces.schemas.ts'
import type { Package, PackageCheck, PackageReview } from '../../contract/creator/packages.schemas.ts'
import type { Status } from '../ui/values/statuses.ts'

export const packageStatuses: Readonly<Record<Package['status'], Status>> = {
  uploaded: { word: 'Uploaded', tone: 'neutral' },
  validating: { word: 'Checking', tone: 'running' },
  in_review: { word: 'In review', tone: 'human' },
  accepted: { word: 'Accepted', tone: 'pass' },
  published: { word: 'Published', tone: 'pass' },
  rejected: { word: 'Rejected', tone: 'fail' },
  withdrawn: { word: 'Withdrawn', tone: 'neutral' },
}

export const profileStatuses: Readonly<Record<BenchmarkStatus, Status>> = {
  candidate: { word: 'Not published', tone: 'human' },
  active: { word: 'Published', tone: 'pass' },
  quarantined: { word: 'Quarantined', tone: 'warn' },
  retired: { word: 'Withdrawn', tone: 'neutral' },
}

export const outcomeStatuses: Readonly<Record<PackageReview['outcome'], Status>> = {
  pass: { word: 'Pass', tone: 'pass' },
  warn: { word: 'Warning', tone: 'warn' },
  fail: { word: 'Fail', tone: 'fail' },
  not_applicable: { word: 'Not applicable', tone: 'neutral' },
  error: { word: 'Could not run', tone: 'warn' },
  approve: { word: 'Approved', tone: 'pass' },
  request_changes: { word: 'Changes requested', tone: 'fail' },
  reject: { word: 'Rejected', tone: 'fail' },
  quarantine: { word: 'Quarantined', tone: 'warn' },
}

export const verificationStatuses: Readonly<Record<Namespace['verification'], Status>> = {
  none: { word: 'No key', tone: 'neutral' },
  key_registered: { word: 'Key registered', tone: 'human' },
  key_confirmed: { word: 'Key confirmed', tone: 'pass' },
}

export const signatureStatuses: Readonly<Record<Package['signature'], Status>> = {
  none: { word: 'Not signed', tone: 'neutral' },
  valid: { word: 'Signed', tone: 'pass' },
  invalid: { word: 'Signature invalid', tone: 'fail' },
}

export const checkWords: Readonly<Record<PackageCheck, string>> = {
  archive: 'Archive',
  manifest: 'Manifest',
  signature: 'Signature',
  tasks: 'Tasks',
  exact_duplicates: 'Exact duplicates',
  near_duplicates: 'Near duplicates',
  overlap: 'Overlap with other sources',
  target_leak: 'Target in prompt',
  answer_position: 'Answer position',
  trivial_answers: 'Trivial answers',
  reference: 'Reference answers',
  determinism: 'Determinism',
  sandbox: 'Sandbox',
  secrets: 'Secrets and personal data',
  hidden_characters: 'Hidden characters',
}

/** Figures of a check as one line: `tasks 120 · chance 0.25`. */
export function figuresText(figures: PackageReview['figures']): string {
  return Object.entries(figures)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${typeof value === 'number' ? shortNumber(value) : String(value)}`)
    .join(' · ')
}

function shortNumber(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}

export function isBeingChecked({ status }: Pick<Package, 'status'>): boolean {
  return status === 'uploaded' || status === 'validating'
}
