import { TagsInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mostTags, Tag } from '../../contract/annotations/annotations.schemas.ts'
import { tagsQuery } from './annotations.queries.ts'

interface TagsFieldProps {
  readonly tags: readonly string[]
  readonly onChange: (changes: { readonly add_tags?: string[]; readonly remove_tags?: string[] }) => void
}

/** Tags as chips; Enter or a comma adds the typed one, Backspace removes the last. */
export function TagsField({ tags, onChange }: TagsFieldProps) {
  const [refused, setRefused] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 200)
  const known = useQuery(tagsQuery('all', search)).data?.items ?? []
  const change = (wanted: readonly string[]): void => {
    setRefused(null)
    const added: string[] = []
    for (const text of wanted) {
      const parsed = Tag.safeParse(text)
      if (!parsed.success) {
        // The field empties itself after this; what was typed is there to be corrected.
        queueMicrotask(() => setTyped(text))
        return setRefused(`“${text}”: ${parsed.error.issues[0]?.message ?? 'not a tag'}`)
      }
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
      // A width of its own, which neither tags nor an error change.
      w={320}
      maxTags={mostTags}
      value={[...tags]}
      data={known.map(({ tag }) => tag)}
      error={refused}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={change}
    />
  )
}
