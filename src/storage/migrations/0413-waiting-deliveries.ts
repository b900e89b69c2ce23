/** The oldest that wait for an address, without a walk over those that were sent. */
export const waitingDeliveries = `
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, no desc) where status = 'pending';
`
