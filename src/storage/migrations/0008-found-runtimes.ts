/** Model servers on this machine as they were last found: each of their models is a managed route. */
export const foundRuntimes = `
create table found_runtimes (
  workspace_id text not null references workspaces, base_url text not null, runtime text not null, found_at text not null,
  primary key (workspace_id, base_url)
) strict, without rowid;
`
