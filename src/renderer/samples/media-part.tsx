import type { MediaPart } from '../../contract/index.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

const kinds = { image: 'Image', audio: 'Audio', document: 'Document' } as const

/** A media part by its kind, what is known of it, and its digest. */
export function MediaPartView({ part }: { readonly part: MediaPart }) {
  const described = part.type === 'image' ? part.alt : part.type === 'audio' ? part.transcript : part.title
  return (
    <div className="row samples-media">
      <span className="small">{kinds[part.type]}</span>
      {described === undefined ? null : <UntrustedText text={described} layout="inline" />}
      <code className="quiet small">{part.media.slice(0, 19)}…</code>
    </div>
  )
}
