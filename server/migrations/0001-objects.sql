-- What every area stands on: ids, history, outbox, idempotency keys, bulk runs, links.

-- One sequence for all objects: an id names one object in the whole system and is never used again.
create sequence object_id_seq start 1000;

-- Who changed what, when. Written in the transaction of the change; read per object.
create table history (
  id         bigint generated always as identity primary key,
  object_id  bigint      not null,
  data_type  text        not null,
  action     text        not null,
  at         timestamptz not null default now(),
  user_name  text        not null,
  changes    jsonb       not null default '{}'
);
create index history_object on history (object_id, id);
create index history_at on history using brin (at);

-- What changed, for search, webhooks and whoever else must follow. A reader keeps a transaction horizon, not a last
-- number, because a later number may commit earlier; hence xid, and the index on it.
create table outbox (
  seq        bigint generated always as identity primary key,
  xid        xid8        not null default pg_current_xact_id(),
  object_id  bigint      not null,
  data_type  text        not null,
  event      text        not null check (event in ('CREATE', 'UPDATE', 'DELETE')),
  at         timestamptz not null default now()
);
create index outbox_horizon on outbox (xid, seq);

create function notify_outbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox', '');
  return null;
end $$;
create trigger outbox_notify after insert on outbox for each statement execute function notify_outbox();

-- Replies already given, so that a retry gets the same one. Written with the effects, in one transaction.
create table idempotency_key (
  user_name  text        not null,
  key        text        not null,
  request    text        not null,
  reply      jsonb       not null,
  created_at timestamptz not null default now(),
  primary key (user_name, key)
);
create index idempotency_key_created on idempotency_key (created_at);

-- Bulk runs: the items as they came, in chunks. A run is `receiving` until its message has arrived whole and was found
-- valid; then a job settles it chunk by chunk, each with its records in one transaction.
create table bulk_run (
  id         uuid        primary key default gen_random_uuid(),
  resource   text        not null,
  verb       text        check (verb in ('persist', 'perform')),
  user_name  text        not null,
  principal  jsonb       not null,
  state      text        not null default 'receiving'
                         check (state in ('receiving', 'waiting', 'running', 'finished', 'failed')),
  total      bigint      not null default 0,
  processed  bigint      not null default 0,
  problem    text,
  created_at timestamptz not null default now(),
  ended_at   timestamptz
);
create index bulk_run_created on bulk_run (created_at);
create table bulk_chunk (
  run_id     uuid        not null references bulk_run on delete cascade,
  number     integer     not null,
  items      json        not null,
  records    json,
  primary key (run_id, number)
);

-- Relations between objects of any two kinds. Ids are unique in the whole system, so two numbers name a pair; the
-- writer locks both objects, and every table of objects removes the links of a deleted row by the trigger below.
create table link (
  id         bigint      primary key default nextval('object_id_seq'),
  kind       text        not null,
  type       text        not null default '',
  from_id    bigint      not null,
  to_id      bigint      not null,
  pos        bigint,
  created_at timestamptz not null default now(),
  created_by text        not null,
  unique (from_id, kind, to_id, type)
);
create index link_to on link (to_id, kind);

create function forget_links() returns trigger language plpgsql as $$
begin
  delete from link where from_id in (select id from gone) or to_id in (select id from gone);
  return null;
end $$;
