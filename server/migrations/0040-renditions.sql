-- Renditions: pictures that are made of files on request, and the profiles that name them.

create table rendition_profile (
  tid         text        primary key check (tid ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  settings    jsonb       not null,
  -- counts revocations; part of the signature of every address. Random, so that a new profile revives no old address
  epoch       integer     not null default floor(random() * 1000000000),
  modified_at timestamptz not null default now(),
  modified_by text        not null
);

-- Kept by content: files with the same bytes share their renditions.
create table rendition (
  source     text        not null,
  recipe     text        not null,
  sha256     text,
  size       bigint,
  mime       text,
  width      integer,
  height     integer,
  -- while it is being made: when somebody else may begin
  made_until timestamptz,
  used_at    timestamptz not null default now(),
  primary key (source, recipe),
  check (sha256 is null or (size is not null and mime is not null and width is not null and height is not null)),
  check ((sha256 is null) = (made_until is not null))
);
create index rendition_sha256 on rendition (sha256);
create index rendition_used on rendition (used_at);

alter table dam_entry add column address_epoch integer not null default 0;
