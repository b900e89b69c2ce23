/** What was exchanged with each server, in total: for those who want to know where their data goes. */
export const networkLog = `
create table network_hosts (
  workspace_id text not null references workspaces, origin text not null, requests integer not null check (requests > 0),
  sent_bytes integer not null check (sent_bytes >= 0), received_bytes integer not null check (received_bytes >= 0),
  first_at text not null, last_at text not null,
  primary key (workspace_id, origin)
) strict, without rowid;
`
