/** Who registered a webhook, or enabled it last: it is disabled with them. Those that are there have no owner and go on. */
export const webhookOwners = `
alter table webhooks add column owner_id text;
`
