import './media.css'
import { VisuallyHidden } from '@mantine/core'
import type { MediaPart } from '../../contract/messages/messages.schemas.ts'
import { useState } from 'react'
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
  const { url, error, isMissing } = useMediaUrl(digest, '128')
  const [broken, setBroken] = useState<string | null>(null)
  const box = { width: size, height: size }
  if (error) return <NoPicture word={isMissing ? 'Missing' : 'Not loaded'} size={size} />
  if (url === null) return <span className="media-thumb" style={box} />
  if (broken === url) return <NoPicture word="Damaged" size={size} />
  return <img className="media-thumb" style={box} src={url} alt={alt} onError={() => setBroken(url)} />
}

/** Sides below which a word has no room, in pixels. */
const wordSize = 64

function NoPicture({ word, size }: { readonly word: string; readonly size: number }) {
  if (size >= wordSize) return <span className="media-kind small">{word}</span>
  return (
    <span className="media-thumb media-none" style={{ width: size, height: size }} title={word}>
      <span aria-hidden="true">?</span>
      <VisuallyHidden>{word}</VisuallyHidden>
    </span>
  )
}
