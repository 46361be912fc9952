-- Webhooks: who is told of changes, and every event on its way to them.

-- `position` is up to where the outbox was taken over. While a receiver is down, `retry_at` says when it is tried next;
-- `lease_until` is the promise of one process that no other sends to the same receiver at the same time.
create table webhook (
  id            uuid        primary key default gen_random_uuid(),
  url           text        not null check (url ~ '^https?://' and length(url) <= 2000),
  description   text        not null default '',
  types         text[]      not null default '{}',
  enabled       boolean     not null default true,
  -- sealed with the master key, newest first
  secrets       bytea[]     not null check (cardinality(secrets) between 1 and 2),
  position      text        not null,
  failures      integer     not null default 0,
  failing_since timestamptz,
  retry_at      timestamptz,
  lease_until   timestamptz,
  problem       text,
  created_at    timestamptz not null default now(),
  created_by    text        not null
);

-- `body` is what is sent, made once: an attempt and its repeats are the same bytes.
create table webhook_delivery (
  id           bigint      generated always as identity primary key,
  webhook_id   uuid        not null references webhook on delete cascade,
  event_id     text        not null,
  type         text        not null,
  subject      text        not null,
  -- what must be told in order
  object_id    bigint      not null,
  body         text        not null,
  state        text        not null default 'waiting' check (state in ('waiting', 'delivered', 'refused')),
  attempts     integer     not null default 0,
  retry_at     timestamptz not null default now(),
  status       integer,
  problem      text,
  created_at   timestamptz not null default now(),
  delivered_at timestamptz,
  unique (webhook_id, event_id)
);
create index webhook_delivery_waiting on webhook_delivery (webhook_id, object_id, id) where state = 'waiting';
create index webhook_delivery_newest on webhook_delivery (webhook_id, id);
create index webhook_delivery_old on webhook_delivery (created_at) where state <> 'waiting';
