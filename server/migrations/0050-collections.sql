-- Collections of assets, pages for people without an account, and the files that they deliver.

create table collection (
  id          bigint      primary key,
  name        text        not null check (name <> '' and length(name) <= 255),
  description text,
  user_name   text        not null,
  users       text[]      not null default '{}',
  roles       text[]      not null default '{}',
  -- a copy of the stored search that chooses the assets; null: they are chosen by hand
  search      jsonb,
  search_id   bigint,
  modified_at timestamptz not null default now(),
  modified_by text        not null,
  constraint collection_search check ((search is null) = (search_id is null))
);
create index collection_name on collection (lower(name), id);

create table collection_asset (
  collection_id bigint  not null references collection on delete cascade,
  asset_id      bigint  not null references dam_entry on delete cascade,
  pos           integer not null,
  primary key (collection_id, asset_id)
);
create index collection_asset_asset on collection_asset (asset_id);

create table share (
  id            bigint      primary key,
  kind          text        not null check (kind in ('download', 'upload')),
  -- SHA-256 of the secret part of the address, which is not stored
  digest        text        not null unique,
  title         text        not null,
  -- the rest of what the owner sent
  settings      jsonb       not null,
  password_hash text,
  collection_id bigint      references collection on delete set null,
  user_name     text        not null,
  principal     jsonb       not null,
  expires_at    timestamptz not null,
  revoked_at    timestamptz,
  -- how many files were delivered, also those that were accepted or rejected
  received      integer     not null default 0,
  -- when the owner was last told about new files
  notified_at   timestamptz,
  created_at    timestamptz not null default now()
);
create index share_user on share (user_name, id);
create index share_collection on share (collection_id) where collection_id is not null;

create table share_asset (
  share_id bigint  not null references share on delete cascade,
  asset_id bigint  not null references dam_entry on delete cascade,
  pos      integer not null,
  primary key (share_id, asset_id)
);
create index share_asset_asset on share_asset (asset_id);

create table share_visit (
  id       bigint      generated always as identity primary key,
  share_id bigint      not null references share on delete cascade,
  at       timestamptz not null default now(),
  event    text        not null check (event in ('visit', 'download', 'zip', 'delivery', 'wrongPassword')),
  what     text,
  address  text        not null
);
create index share_visit_share on share_visit (share_id, id);
create index share_visit_at on share_visit (at);

-- Quarantine: delivered files are no assets until somebody accepts them.
create table share_file (
  id          bigint      primary key,
  share_id    bigint      not null references share on delete cascade,
  name        text        not null,
  sha256      text        not null references blob,
  size        bigint      not null,
  mime        text        not null,
  received_at timestamptz not null default now(),
  -- a repeated delivery adds nothing
  unique (share_id, name, sha256)
);
create index share_file_share on share_file (share_id, id);
create index share_file_sha256 on share_file (sha256);
