-- Changes of many objects at once: what is to be done, the selected objects, and for each object the values before and after
-- it, which undo restores.

-- `position` is the number of the last object that was processed. It moves in the transaction that changes these objects, so
-- that a run that broke off continues behind them, and none is changed twice or left out.
create table bulk_change (
  id            uuid        primary key default gen_random_uuid(),
  kind          text        not null check (kind in ('product', 'asset')),
  name          text,
  operations    jsonb       not null,
  user_name     text        not null,
  principal     jsonb       not null,
  state         text        not null default 'ready' check (state in
    ('ready', 'previewing', 'previewed', 'running', 'finished', 'failed', 'cancelled', 'undoing', 'undone')),
  -- false once it was started: the outcomes are those of a preview until then
  dry           boolean     not null default true,
  total         bigint      not null default 0,
  position      bigint      not null default 0,
  undo_position bigint      not null default 0,
  processed     bigint      not null default 0,
  changed       bigint      not null default 0,
  unchanged     bigint      not null default 0,
  refused       bigint      not null default 0,
  undone        bigint      not null default 0,
  undo_refused  bigint      not null default 0,
  -- a digest of the rights with which the values below were read
  rights        text,
  problem       text,
  created_at    timestamptz not null default now(),
  started_at    timestamptz,
  ended_at      timestamptz
);
create index bulk_change_created on bulk_change (created_at);

create table bulk_change_item (
  change_id   uuid    not null references bulk_change on delete cascade,
  number      bigint  not null,
  tid         text    not null,
  name        text,
  status      text    check (status in ('changed', 'unchanged', 'refused')),
  reason      text,
  changes     jsonb,
  undo        text    check (undo in ('undone', 'refused')),
  undo_reason text,
  primary key (change_id, number),
  unique (change_id, tid)
);

-- Who has an object open: a short-lived row per user and object, renewed while the page is open. Unlogged, because nothing
-- depends on it after a crash.
create unlogged table presence (
  object_id bigint      not null,
  user_name text        not null,
  editing   boolean     not null default false,
  seen_at   timestamptz not null default now(),
  primary key (object_id, user_name)
);
create index presence_seen on presence (seen_at);
