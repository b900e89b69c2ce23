import { NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Retention, RetentionRule } from '../../contract/retention/retention.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { useChangeRetention, retentionPreviewQuery } from './retention.queries.ts'
import { describeHold, retentionWords } from './retention-words.ts'

/** A rule with what it would remove now, before it is saved. */
export function RetentionDialog({ retention, onClose }: { readonly retention: Retention; readonly onClose: () => void }) {
  const { kind, max_age_days, max_items } = retention
  const [rule, setRule] = useState<RetentionRule>({ max_age_days, max_items })
  const change = useChangeRetention()
  const preview = useQuery(retentionPreviewQuery(kind, rule))
  const isOff = rule.max_age_days === null && rule.max_items === null
  const removed = preview.data?.items ?? 0
  const what = retentionWords[kind].toLowerCase()
  const set = (field: keyof RetentionRule) => (value: string | number) => setRule({ ...rule, [field]: value === '' ? null : Number(value) })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`How long are ${what} kept?`}
      action={removed > 0 ? `Save and remove ${formatCount(removed)}` : 'Save'}
      dangerous={removed > 0}
      disabled={!isOff && preview.data === undefined}
      onConfirm={() => change.mutateAsync({ kind, ...rule })}
    >
      <div className="stack">
        <NumberInput
          label="Days to keep"
          description="Empty: any age"
          min={1}
          max={3650}
          allowDecimal={false}
          clampBehavior="strict"
          value={rule.max_age_days ?? ''}
          onChange={set('max_age_days')}
        />
        <NumberInput
          label="Newest to keep"
          description="Empty: any number"
          min={1}
          max={10_000_000}
          allowDecimal={false}
          clampBehavior="strict"
          thousandSeparator=","
          value={rule.max_items ?? ''}
          onChange={set('max_items')}
        />
        {preview.data?.held_until ? (
          <Notice tone="warn" title="Removal by age is paused">
            {describeHold(preview.data.held_until)}
          </Notice>
        ) : null}
        <output>
          {isOff
            ? 'Everything is kept.'
            : preview.data === undefined
              ? (preview.error?.message ?? 'Counting…')
              : removed === 0
                ? `Nothing would be removed now. ${formatCount(preview.data.kept)} are kept.`
                : `${formatCount(removed)} of ${formatCount(removed + preview.data.kept)} would be removed now. They cannot be restored.`}
        </output>
      </div>
    </ConfirmDialog>
  )
}
