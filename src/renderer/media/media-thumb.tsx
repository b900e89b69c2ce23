import './media.css'
import type { MediaPart } from '../../contract/messages/messages.schemas.ts'
import { useMediaUrl } from './use-media-url.ts'

interface MediaThumbProps {
  readonly part: Pick<MediaPart, 'type' | 'media'>
  /** Pixels of the longer side. */
  readonly size: number
  readonly alt?: string
}

const words = { image: 'Image', audio: 'Audio', document: 'PDF' } as const

/** A small picture of a file that a task shows; its kind where it has no picture. */
export function MediaThumb({ part, size, alt = '' }: MediaThumbProps) {
  return part.type === 'image' ? (
    <ImageThumb digest={part.media} size={size} alt={alt} />
  ) : (
    <span className="media-kind small">{words[part.type]}</span>
  )
}

function ImageThumb({ digest, size, alt }: { readonly digest: string; readonly size: number; readonly alt: string }) {
  const { url, failed } = useMediaUrl(digest)
  if (failed) return <span className="media-kind small">Missing</span>
  const box = { width: size, height: size }
  return url === null ? <span className="media-thumb" style={box} /> : <img className="media-thumb" style={box} src={url} alt={alt} />
}
