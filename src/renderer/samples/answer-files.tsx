import '../media/media.css'
import { useEffect, useState } from 'react'
import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import { answeredFiles } from '../../lib/answered-files.ts'
import { shownType } from '../media/shown-type.ts'
import { Section } from '../ui/page/page-header.tsx'
import { Picture } from './media-part.tsx'

/** What an answer holds beside its text, read from the response as it is stored; scorers are given the text alone. */
export function AnswerFiles({ attempts }: { readonly attempts: SampleDetail['attempt_log'] }) {
  const last = attempts.at(-1)
  if (!last?.notes.some(({ code }) => code === 'answer_holds_files')) return null
  const files = filesIn(last.response ?? '')
  const shown = files.flatMap(({ base64 }) => {
    const type = base64 === null ? null : shownType(base64)
    return base64 === null || type === null ? [] : [{ base64, type }]
  })
  return (
    <Section title="Files of the answer">
      {shown.map((file, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- a stored response never changes
        <AnswerFile key={i} {...file} no={i + 1} />
      ))}
      {shown.length < files.length || files.length === 0 ? (
        <p className="quiet samples-note">{`${files.length === 0 ? 'The' : files.length - shown.length} files that cannot be shown here are in the response of the last attempt.`}</p>
      ) : null}
      <p className="quiet small samples-note">Not graded: scorers are given the text.</p>
    </Section>
  )
}

function AnswerFile({ base64, type, no }: { readonly base64: string; readonly type: string; readonly no: number }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
    const made = URL.createObjectURL(new Blob([bytes], { type }))
    // oxlint-disable-next-line react/set-state-in-effect -- an address is made and given back outside React
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [base64, type])
  if (url === null) return null
  const name = `${type.startsWith('image/') ? 'Image' : 'Recording'} ${no} of the answer`
  return (
    <figure className="stack samples-media">
      {/* There is no transcript of what a model says. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      {type.startsWith('image/') ? <Picture url={url} alt={name} /> : <audio controls src={url} aria-label={name} />}
    </figure>
  )
}

/** None where the response is no JSON, as a stream is. */
function filesIn(response: string): ReturnType<typeof answeredFiles> {
  try {
    return answeredFiles(JSON.parse(response))
  } catch {
    return []
  }
}
