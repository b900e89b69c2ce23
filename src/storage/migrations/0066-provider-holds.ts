/** What providers may bill for judges' work that is open, so that a key's provider ceiling counts it before it is spent. Micro-USD. */
export const providerHolds = `
alter table judge_budgets add column provider_held_microusd integer not null default 0 check (provider_held_microusd >= 0);
`
