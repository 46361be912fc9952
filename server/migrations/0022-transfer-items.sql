-- What an export contains, while it runs: a list that is too long for memory. Number gives the order.
create table transfer_item (
  transfer_id uuid not null references transfer (id) on delete cascade,
  number bigint not null,
  tid text not null,
  -- Whether it is written; of a series, only what changed is.
  wanted boolean not null default true,
  primary key (transfer_id, number),
  unique (transfer_id, tid)
);
