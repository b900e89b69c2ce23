import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mostTags, Tag } from '../../contract/index.ts'
import { tagsQuery } from './annotations.queries.ts'

interface TagsFieldProps {
  readonly tags: readonly string[]
  readonly disabled?: boolean
  readonly onChange: (changes: { readonly add_tags?: string[]; readonly remove_tags?: string[] }) => void
}

/** Tags as chips; Enter or a comma adds the typed one, Backspace removes the last. */
export function TagsField({ tags, disabled = false, onChange }: TagsFieldProps) {
  const [refused, setRefused] = useState<string | null>(null)
  const known = useQuery(tagsQuery(null)).data?.items ?? []
  const change = (wanted: readonly string[]): void => {
    setRefused(null)
    const added: string[] = []
    for (const typed of wanted) {
      const parsed = Tag.safeParse(typed)
      if (!parsed.success) return setRefused(`“${typed}”: ${parsed.error.issues[0]?.message ?? 'not a tag'}`)
      if (!tags.includes(parsed.data)) added.push(parsed.data)
    }
    const kept = wanted.map(tag => tag.trim().toLowerCase())
    const removed = tags.filter(tag => !kept.includes(tag))
    if (added.length > 0 || removed.length > 0) onChange({ add_tags: added, remove_tags: removed })
  }
  return (
    <TagsInput
      aria-label="Tags"
      placeholder={tags.length === 0 ? 'Add tags' : 'Add'}
      miw={220}
      maw={560}
      maxTags={mostTags}
      value={[...tags]}
      data={known.map(({ tag }) => tag)}
      error={refused}
      disabled={disabled}
      onChange={change}
    />
  )
}
