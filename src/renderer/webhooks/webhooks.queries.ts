import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewWebhook, WebhookChanges } from '../../contract/webhooks/webhooks.schemas.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { everyPage, pagedQuery } from '../api/pages.ts'

const pollMs = 5_000

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: ({ signal }) => everyPage(cursor => call('listWebhooks', { query: { cursor, limit: 100 } }, { signal })),
  refetchInterval: pollMs,
})

/** The newest first. */
export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    ...pagedQuery(['webhooks', 'deliveries', id], (cursor, signal) =>
      call('listWebhookDeliveries', { params: { webhook_id: id }, query: { cursor, limit: 50 } }, { signal }),
    ),
    refetchInterval: pollMs,
  })

export function useWebhookActions() {
  const client = useQueryClient()
  const key = useIdempotencyKey('new-webhook')
  const onSettled = () => void client.invalidateQueries({ queryKey: ['webhooks'] })
  const of = (id: string) => ({ params: { webhook_id: id } })
  return {
    create: useMutation({
      mutationFn: (body: NewWebhook) => call('createWebhook', { body, headers: key.headersFor(body) }),
      onSuccess: () => key.done(),
      onSettled,
    }),
    change: useMutation({
      mutationFn: ({ id, body }: { id: string; body: WebhookChanges }) => call('changeWebhook', { ...of(id), body }),
      onSettled,
    }),
    remove: useMutation({ mutationFn: (id: string) => call('deleteWebhook', of(id)), onSettled }),
    test: useMutation({ mutationFn: (id: string) => call('testWebhook', of(id)), onSettled }),
    rotate: useMutation({ mutationFn: (id: string) => call('rotateWebhookSecret', of(id)), onSettled }),
    retry: useMutation({
      mutationFn: ({ id, deliveryId }: { id: string; deliveryId: string }) =>
        call('retryWebhookDelivery', { params: { webhook_id: id, delivery_id: deliveryId } }),
      onSettled,
    }),
  }
}
