-- Feeds: exports and imports that run by a schedule, and their runs.

create table feed (
  id           bigint      primary key,
  name         text        not null unique check (name <> '' and length(name) <= 255),
  -- what the user sent, without secrets
  definition   jsonb       not null,
  -- sealed with the master key
  secrets      bytea,
  enabled      boolean     not null,
  user_name    text        not null,
  principal    jsonb       not null,
  -- SHA-256 of the token of the download address
  address      bytea,
  -- why it was paused
  problem      text,
  next_at      timestamptz,
  -- the export whose file the download address returns; it is kept longer than others
  transfer_id  uuid        references transfer on delete set null,
  created_at   timestamptz not null default now(),
  modified_at  timestamptz not null default now(),
  modified_by  text        not null
);
create index feed_due on feed (next_at) where enabled;
create index feed_transfer on feed (transfer_id);

-- A time of the schedule has one run, and a feed has one run at a time, however many processes look for feeds that are due.
-- `file_print` identifies the content of a file in a hot folder until it has been moved away, so that it is imported once.
create table feed_run (
  id              bigint      generated always as identity primary key,
  feed_id         bigint      not null references feed on delete cascade,
  due_at          timestamptz,
  started_by      text,
  state           text        not null default 'running' check (state in ('running', 'held', 'finished', 'failed', 'discarded')),
  step            text        not null default 'begin' check (step in ('begin', 'transfer', 'deliver')),
  transfer_id     uuid        references transfer on delete set null,
  file            text,
  file_print      text,
  items           bigint,
  previous_items  bigint,
  changed         bigint,
  refused         bigint,
  size            bigint,
  attempts        integer     not null default 0,
  retry_at        timestamptz,
  problem         text,
  decided_by      text,
  -- the series before this run; it is restored if the file is not delivered
  series          text,
  series_xid      xid8,
  series_transfer uuid,
  series_shape    text,
  series_headings text[],
  created_at      timestamptz not null default now(),
  ended_at        timestamptz,
  unique (feed_id, due_at),
  unique (feed_id, file_print)
);
create unique index feed_run_pending on feed_run (feed_id) where state in ('running', 'held');
create index feed_run_newest on feed_run (feed_id, id);
create index feed_run_transfer on feed_run (transfer_id);
create index feed_run_ended on feed_run (ended_at);

create table feed_series_item (
  run_id bigint  not null references feed_run on delete cascade,
  tid    text    not null,
  digest bytea,
  linked boolean not null,
  primary key (run_id, tid)
);
