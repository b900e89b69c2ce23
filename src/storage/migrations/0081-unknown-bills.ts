/** Attempts that the provider may have billed although it counted nothing: their cost is unknown, not 0. */
export const unknownBills = `
alter table attempts add column bill_unknown integer not null default 0 check (bill_unknown in (0, 1));
update attempts set bill_unknown = 1 where status = 'unknown' or (status = 'failed' and (error_code = 'worker_lost'
  or (error_code = 'bad_response' and input_tokens is null and http_status between 200 and 299)));
`
