import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { HeldUntil, Retention, RetentionEvent, RetentionKind, RetentionPreview, RetentionRule } from './retention.schemas.ts'

export const retentionEndpoints = endpoints('Retention', {
  listRetention: {
    route: 'GET /v1/retention',
    summary: 'Read what is kept for how long, and what was removed',
    description:
      'Without a rule everything is kept, but for ended jobs of the whole machine, such as backups: 90 days, and the newest of each kind. `events` are the newest 100 changes of rules and removals, newest first.',
    scope: 'workspace:read',
    response: z.strictObject({ items: z.array(Retention), events: z.array(RetentionEvent), held_until: HeldUntil }),
  },
  previewRetention: {
    route: 'GET /v1/retention/preview',
    summary: 'Read what a rule would remove now',
    description: 'Nothing is removed or stored.',
    scope: 'workspace:read',
    query: z.strictObject({
      kind: RetentionKind,
      max_age_days: z.int().min(1).max(3_650).optional(),
      max_items: z.int().min(1).max(10_000_000).optional(),
    }),
    response: RetentionPreview,
  },
  changeRetention: {
    route: 'PUT /v1/retention',
    summary: 'Set the rule for one kind',
    description:
      'The rule applies at once and then every hour; what it removes cannot be restored, and a failed job that it removes cannot be retried. Two nulls turn it off. A signed-in owner or admin only.',
    scope: 'workspace:write',
    body: RetentionRule.extend({ kind: RetentionKind }),
    response: Retention,
    errors: ['owner_session_required'],
  },
})
