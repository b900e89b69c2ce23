/** Whether a workspace was filled by `assay demo`: then it can be removed as a whole. */
export const demoWorkspaces = `
alter table workspaces add column demo integer not null default 0;
`
