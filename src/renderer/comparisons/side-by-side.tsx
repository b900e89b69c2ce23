import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { ComparedTask, Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { walkKey } from '../samples/walk-key.ts'
import { IconButton } from '../ui/forms/icon-button.tsx'
import { IconX } from '../ui/pictures/icons.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { taskChangeWords } from './compare-words.ts'
import { useComparedTask } from './compare.queries.ts'
import { Sides } from './sides.tsx'
import type { Contender } from './use-contender.ts'

interface SideBySideProps {
  readonly comparison: Comparison
  readonly contender: Contender
  readonly taskId: string
  readonly position: number
  /** The list as it is filtered, for walking through it. */
  readonly rows: readonly ComparedTask[]
  readonly onOpen: (task: ComparedTask) => void
  readonly onClose: () => void
}

/** What each model made of one task. `j` and `k` walk on, Escape closes. */
export function SideBySide({ comparison, contender, taskId, position, rows, onOpen, onClose }: SideBySideProps) {
  const region = useRef<HTMLElement>(null)
  const index = rows.findIndex(task => task.position === position)
  const query = useComparedTask(comparison.id, taskId, position, rows[index])
  const [previous, next] = [index < 0 ? undefined : rows[index - 1], index < 0 ? undefined : rows[index + 1]]
  useEffect(() => {
    // In braces, since browsers have begun to answer a promise here, and an effect must not.
    region.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return
      if (event.key === 'Escape') onClose()
      const step = walkKey(event)
      const target = step === 1 ? next : step === -1 ? previous : undefined
      if (target) onOpen(target)
    }
    globalThis.addEventListener('keydown', listen)
    return () => globalThis.removeEventListener('keydown', listen)
  }, [next, previous, onOpen, onClose])
  const change = query.data?.changes.find(one => one.contender_id === contender.chosen.id)?.change
  return (
    <section ref={region} className="page-section" aria-label="Side by side">
      <header>
        <div className="row">
          <h2>
            <UntrustedText text={taskId} layout="prose" />
          </h2>
          {change === undefined ? null : <StatusBadge status={taskChangeWords[change]} />}
        </div>
        <div className="row">
          <Button size="compact-sm" variant="default" disabled={!previous} onClick={() => previous && onOpen(previous)}>
            Previous (k)
          </Button>
          <Button size="compact-sm" variant="default" disabled={!next} onClick={() => next && onOpen(next)}>
            Next (j)
          </Button>
          <IconButton icon={IconX} label="Close side by side" onClick={onClose} />
        </div>
      </header>
      <QueryView query={query} failure="Couldn’t load the task">
        {task => <Sides task={task} runs={comparison.runs} chosenId={contender.chosen.id} />}
      </QueryView>
    </section>
  )
}
