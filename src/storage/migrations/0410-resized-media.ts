/** Images that were made smaller before they were sent, kept as long as the image that they were made of. */
export const resizedMedia = `
create table resized_media (
  source text not null references media (digest) on delete cascade,
  max_pixels integer not null,
  digest text not null references media (digest),
  primary key (source, max_pixels)
) strict, without rowid;
create index resized_media_of_digest on resized_media (digest);
`
