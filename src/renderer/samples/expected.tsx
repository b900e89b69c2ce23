import { Section } from '../ui/page/page-header.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

interface ExpectedProps {
  readonly targets: readonly string[]
  readonly choices: readonly string[] | null
}

/** What would have been right, and what there was to choose from. */
export function Expected({ targets, choices }: ExpectedProps) {
  if (targets.length === 0 && choices === null) return null
  return (
    <Section title="Expected">
      {targets.map((target, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two targets may be equal
        <UntrustedText key={index} text={target} />
      ))}
      {choices === null ? null : (
        <ol className="samples-choices" type="A">
          {choices.map((choice, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two choices may be equal
            <li key={index}>
              <UntrustedText text={choice} layout="prose" />
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
