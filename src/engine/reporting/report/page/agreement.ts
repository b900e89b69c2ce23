import { createElement as h, type ReactElement } from 'react'
import { profileName } from '../../../../lib/format/benchmark-names.ts'
import { formatCount } from '../../../../lib/format/numbers.ts'
import type { Agreement, ProfileTally, SampleTally } from '../sample-tally.ts'
import { section, table, untrusted } from './elements.ts'

/** Where the metrics of a profile part: strict and flexible side by side. Null where no profile has two that can be compared. */
export function agreement(tally: SampleTally): ReactElement | null {
  const rows = tally.profiles.flatMap(profile => profile.agreements.map(pair => agreementCells(profile, pair)))
  if (rows.length === 0) return null
  return section(
    'agreement',
    'Where metrics disagree',
    h(
      'p',
      { className: 'quiet' },
      'Samples that both metrics scored. Many in one of the middle columns mean that the answer was there and was not recognized, or the reverse.',
    ),
    table(
      'Primary metric against the others',
      [
        { label: 'Profile' },
        { label: 'Primary' },
        { label: 'Other' },
        { label: 'Both right', numeric: true },
        { label: 'Only primary right', numeric: true },
        { label: 'Only other right', numeric: true },
        { label: 'Both wrong', numeric: true },
      ],
      rows,
    ),
  )
}

function agreementCells({ profile, primary }: ProfileTally, pair: Agreement) {
  return [
    untrusted(profileName(profile)),
    untrusted(primary?.title ?? ''),
    untrusted(pair.other.title),
    ...[pair.both, pair.onlyPrimary, pair.onlyOther, pair.neither].map(formatCount),
  ]
}
