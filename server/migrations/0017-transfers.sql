-- Import and export of files: the runs, their files in pieces, what became of each row, and mapping profiles.

-- `processed` is how far an import has come, in rows of the file: it moves in the transaction that stores these rows, so
-- that a run that broke off goes on behind them, and none is stored twice or left out.
create table transfer (
  id         uuid        primary key default gen_random_uuid(),
  direction  text        not null check (direction in ('import', 'export')),
  name       text        not null,
  format     text        not null check (format in ('csv', 'xlsx', 'xml', 'jsonl', 'zip')),
  options    jsonb       not null default '{}',
  user_name  text        not null,
  principal  jsonb       not null,
  state      text        not null default 'receiving' check (state in
    ('receiving', 'received', 'validating', 'validated', 'running', 'paused', 'finished', 'failed', 'cancelled')),
  -- an import is checked first, if somebody asks for it, without storing anything
  dry        boolean     not null default false,
  total      bigint      not null default 0,
  processed  bigint      not null default 0,
  created    bigint      not null default 0,
  updated    bigint      not null default 0,
  refused    bigint      not null default 0,
  size       bigint      not null default 0,
  problem    text,
  created_at timestamptz not null default now(),
  ended_at   timestamptz
);
create index transfer_created on transfer (created_at);

create table transfer_piece (
  transfer_id uuid    not null references transfer on delete cascade,
  number      integer not null,
  bytes       bytea   not null,
  primary key (transfer_id, number)
);
-- what is compressed already, or soon read again, need not be compressed
alter table transfer_piece alter column bytes set storage external;

create table transfer_outcome (
  transfer_id uuid    not null references transfer on delete cascade,
  first_row   bigint  not null,
  refused     integer not null,
  outcomes    json    not null,
  primary key (transfer_id, first_row)
);

create table transfer_profile (
  name        text        primary key check (name <> '' and length(name) <= 255),
  profile     jsonb       not null,
  modified_at timestamptz not null default now(),
  modified_by text        not null
);

-- What the last export of a series contained, so that the next one can tell what went away.
create table transfer_series (
  name     text        primary key,
  since    timestamptz not null
);
create table transfer_series_item (
  series text not null references transfer_series on delete cascade,
  tid    text not null,
  primary key (series, tid)
);
