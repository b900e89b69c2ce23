/** Images, recordings and documents of traces, kept for as long as their trace. */
export const traceMedia = `
create table trace_media (
  trace_no integer not null references traces (no) on delete cascade,
  digest text not null references media (digest),
  primary key (trace_no, digest)
) strict, without rowid;
create index trace_media_of_digest on trace_media (digest);
`
