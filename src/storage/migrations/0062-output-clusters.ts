/** Outputs that depend on one another, e.g. of one conversation, give the drift detector one score. */
export const outputClusters = `
alter table tune_outputs add column cluster text;
create index tune_outputs_cluster on tune_outputs (monitor_no, cluster) where cluster is not null;
`
