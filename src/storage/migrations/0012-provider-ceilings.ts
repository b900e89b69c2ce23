/** What keys may have providers bill, beside what they may charge to the wallet. Micro-USD. */
export const providerCeilings = `
alter table api_keys add column provider_ceiling_microusd integer check (provider_ceiling_microusd >= 0);
alter table runs add column provider_held_microusd integer not null default 0 check (provider_held_microusd >= 0);
`
