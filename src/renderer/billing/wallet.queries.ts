import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { NewPurchaseBody } from '../../contract/billing/billing.schemas.ts'
import { useChange, useOnce } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

const PAGE = 100

/** Runs spend while one looks. */
const REFRESH_MS = 10_000

export function useWallet() {
  return useQuery({
    queryKey: ['wallet', 'state'],
    queryFn: ({ signal }) => call('getWallet', {}, { signal }),
    refetchInterval: REFRESH_MS,
  })
}

export function useLedger(q: string) {
  return useInfiniteQuery(
    pagedQuery(['wallet', 'ledger', q], (cursor, signal) => call('listLedger', { query: { q, cursor, limit: PAGE } }, { signal })),
  )
}

export function usePurchases(receiptsOnly: boolean) {
  return useInfiniteQuery(
    pagedQuery(['wallet', 'purchases', receiptsOnly], (cursor, signal) =>
      call('listPurchases', { query: { cursor, limit: PAGE, receipts_only: receiptsOnly } }, { signal }),
    ),
  )
}

export function useReceipt(purchaseId: string) {
  return useQuery({
    queryKey: ['wallet', 'receipt', purchaseId],
    queryFn: ({ signal }) => call('getReceipt', { params: { purchase_id: purchaseId } }, { signal }),
  })
}

export const useCreatePurchase = () =>
  useChange(
    useOnce('new-purchase', (body: NewPurchaseBody, headers) => call('createPurchase', { body, headers })),
    ['wallet'],
  )

/** Steps of a purchase that a person takes, by the event of its state machine. */
export const purchaseSteps = {
  confirm: 'confirmPurchase',
  cancel: 'cancelPurchase',
  refund: 'refundPurchase',
  dispute: 'disputePurchase',
} as const
export type PurchaseStep = keyof typeof purchaseSteps

export function usePurchaseStep() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, step }: { readonly id: string; readonly step: PurchaseStep }) =>
      call(purchaseSteps[step], { params: { purchase_id: id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['wallet'] }),
  })
}
