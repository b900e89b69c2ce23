/**
 * Whom this machine belongs to, and who may make workspaces on it. Until now the owner was whoever owned the oldest workspace, and
 * owning any workspace was enough for what concerns all of them.
 */
export const installation = `
create table installation (
  id integer primary key check (id = 1), owner_id text not null references people,
  workspace_creation text not null default 'everyone' check (workspace_creation in ('everyone', 'owner'))
) strict;
insert into installation (id, owner_id) select 1, person_id from members where role = 'owner' order by created_at, person_id limit 1;
`
