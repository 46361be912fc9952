-- Chunks that are sent to an address of the store itself: where they will stand and how many bytes they have. What has
-- arrived there becomes a chunk like any other when it is asked for. An upload may say what its bytes must be.
create table upload_address (
  upload_id uuid    not null references upload on delete cascade,
  number    integer not null check (number between 0 and 9999),
  size      bigint  not null check (size > 0),
  place     text    not null,
  primary key (upload_id, number)
);
alter table upload add column checksum text check (checksum ~ '^[0-9a-f]{64}$');
