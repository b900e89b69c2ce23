import { caseFiles, caseText } from '../../contract/tuning/case-input.ts'
import type { TuneCase } from '../../contract/tuning/draft.schemas.ts'
import { MediaThumb } from '../media/media-thumb.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

const mostCharacters = 300
const mostThumbs = 4

/** What a case asks: its pictures, small, and the beginning of its text. */
export function CaseInput({ input }: Pick<TuneCase, 'input'>) {
  const files = caseFiles(input)
  return (
    <div className="tuning-input">
      {files.slice(0, mostThumbs).map(part => (
        <MediaThumb key={part.media} part={part} size={40} alt={part.type === 'image' ? (part.alt ?? 'Image of the case') : ''} />
      ))}
      {files.length > mostThumbs ? <span className="quiet small">{files.length - mostThumbs} more</span> : null}
      <UntrustedText text={caseText(input).slice(0, mostCharacters)} layout="prose" />
    </div>
  )
}
