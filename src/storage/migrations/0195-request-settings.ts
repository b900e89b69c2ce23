/** Connections send settings of their own with every call, and may trust authorities of their own. */
export const requestSettings = `
alter table connections add column request_settings text not null default '{}' check (json_valid(request_settings));
alter table connections add column ca_certificates text;
`
