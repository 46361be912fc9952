-- Reading the outbox: who follows it, how far each has come, and from where on it is still whole.

-- What people call the change, where it is more than the event: link, move, …
alter table outbox add column action text;
create index outbox_at on outbox using brin (at);

-- Everything before the transaction has been dealt with. One that is silent for too long is forgotten (core/outbox.ts).
create table outbox_consumer (
  name    text        primary key check (name <> ''),
  xid     xid8        not null,
  seen_at timestamptz not null default now()
);

-- Of transactions before this one, rows may have been removed: a position below it cannot be continued.
create table outbox_floor (
  single  boolean     primary key default true check (single),
  xid     xid8        not null default '0'
);
insert into outbox_floor default values;
