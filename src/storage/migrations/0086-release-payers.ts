/** Who advanced a decision last: its next steps are charged to them. */
export const releasePayers = `
alter table release_decisions add column payer text check (payer is null or json_valid(payer));
`
