import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { Section } from '../ui/page/page-header.tsx'
import { IconAlertTriangle } from '../ui/pictures/icons.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { profileNames } from './profile-name.ts'

export function QuoteWarnings({ quote: { warnings, profiles } }: { readonly quote: Quote }) {
  const nameOf = profileNames(profiles)
  if (warnings.length === 0) return null
  return (
    <Section title="Warnings">
      <ul className="quotes-warnings">
        {warnings.map(({ code, message, profile_id: profile }) => (
          <li key={`${code} ${profile ?? ''} ${message}`} title={code}>
            <IconAlertTriangle size={16} aria-hidden />
            <span>
              <UntrustedText text={profile === undefined ? message : `${nameOf(profile)}: ${message}`} layout="prose" />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
