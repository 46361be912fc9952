-- The care of stored files: what a virus scanner found, what a regular read of all bytes found, and which files are in the
-- archive. All of it belongs to the content, so equal files are scanned, read and archived once.

alter table blob
  -- null: never checked, because it is older than the scanner or was made by Kontor itself
  add scan         text        check (scan in ('waiting', 'clean', 'infected', 'tooLarge', 'released')),
  add scanned_at   timestamptz,
  -- until then, a process is scanning it
  add scan_claim   timestamptz,
  add threat       text,
  -- why nobody gets the bytes. Not derived from `scan`, because settings decide about unchecked and too large files
  add held         text        check (held in ('unchecked', 'infected', 'tooLarge')),
  add fault        text        check (fault in ('missing', 'damaged', 'unreadable')),
  add fault_at     timestamptz,
  -- when the bytes were last read and compared with their hash
  add read_at      timestamptz,
  add tier         text        not null default 'main' check (tier in ('main', 'archive')),
  add wanted_tier  text        check (wanted_tier in ('main', 'archive')),
  add wanted_by    text,
  -- when somebody last got the bytes, to the day; only kept where there is an archive
  add used_at      timestamptz;
create index blob_scan_waiting on blob (touched_at) where scan = 'waiting';
create index blob_care on blob (sha256) where held is not null or fault is not null;
create index blob_read on blob (read_at nulls first, sha256);
create index blob_archive on blob (sha256) where tier = 'archive' or wanted_tier is not null;

-- A pass over all stored files. The position is that of the last file that was read.
create table scrub_run (
  id          bigint      generated always as identity primary key,
  started_at  timestamptz not null default now(),
  started_by  text        not null,
  ended_at    timestamptz,
  position    text        not null default '',
  -- until then, a process works on it
  claimed_until timestamptz,
  files       bigint      not null default 0,
  bytes       bigint      not null default 0,
  missing     bigint      not null default 0,
  damaged     bigint      not null default 0,
  unreadable  bigint      not null default 0,
  repaired    bigint      not null default 0,
  unreferenced bigint     not null default 0
);
create unique index scrub_run_open on scrub_run ((true)) where ended_at is null;

create table scrub_finding (
  run_id   bigint      not null references scrub_run on delete cascade,
  sha256   text        not null,
  size     bigint      not null,
  fault    text        not null check (fault in ('missing', 'damaged', 'unreadable')),
  is_repaired boolean  not null default false,
  found_at timestamptz not null default now(),
  primary key (run_id, sha256)
);
