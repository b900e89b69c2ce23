/** What calls with an unknown bill may cost at most stays under their run's cap over restarts; attempts keep the kinds of tokens counted. */
export const usageParts = `
alter table runs add column uncertain_microusd integer not null default 0 check (uncertain_microusd >= 0);
alter table attempts add column token_parts text check (token_parts is null or json_valid(token_parts));
`
