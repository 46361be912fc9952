-- The DAM: storages, directories and assets, their files, versions and previews, and uploads under way.

-- Storages. A path begins with the tid of one.
create table rnc (
  id          bigint      primary key default nextval('object_id_seq'),
  tid         text        not null unique check (tid <> '' and tid !~ '/'),
  name        text        not null,
  settings    jsonb       not null default '{}',
  created_at  timestamptz not null default now(),
  created_by  text        not null,
  modified_at timestamptz not null default now(),
  modified_by text        not null
);
create unique index rnc_key on rnc (lower(tid));
insert into rnc (tid, name, created_by, modified_by) values ('MAM', 'MAM', 'system', 'system');

-- Every stored content, by its hash. Bytes are durable before their row is; a row goes before its bytes do. Whoever adds
-- a reference touches the row, so that the collector leaves it alone for a while.
create table blob (
  sha256     text        primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  size       bigint      not null check (size >= 0),
  touched_at timestamptz not null default now()
);
create index blob_touched on blob (touched_at);

create table variation_type (
  tid text primary key check (tid <> ''),
  pos integer not null default 0
);
insert into variation_type (tid, pos) values ('Print', 1), ('Web', 2);

-- Directories and assets in one table, because a name in a directory is unique over both, whatever its case. Keys are
-- names and paths in NFC and small letters, made by the server. Only directories have a path: an asset's is that of its
-- directory and its name, so that moving a directory touches no asset. What stands in the trash has `deleted_at`, and in
-- `deleted_with` the entry whose deletion took it along.
create table dam_entry (
  id             bigint      primary key default nextval('object_id_seq'),
  kind           text        not null check (kind in ('dir', 'asset')),
  tid            text        not null check (tid <> ''),
  rnc_id         bigint      not null references rnc,
  parent_id      bigint      references dam_entry deferrable initially deferred,
  name           text        not null check (name <> '' and name !~ '/'),
  name_key       text        not null,
  path           text,
  path_key       text,
  meta           jsonb       not null default '[]',
  vals           jsonb       not null default '{}',
  type           text        check (type in ('IMG', 'VID', 'AUD', 'PDF', 'OFFICE', 'PREPRESS', 'DOC', 'LAYOUT', 'C360', 'C3D', 'FILE')),
  sha256         text        references blob,
  size           bigint,
  mime           text,
  width          integer,
  height         integer,
  embedded       jsonb       not null default '{}',
  import_status  text        check (import_status in ('pending', 'running', 'available', 'incomplete')),
  locked_by      text,
  locked_at      timestamptz,
  variation_of   bigint      references dam_entry deferrable initially deferred,
  variation_type text        references variation_type,
  deleted_at     timestamptz,
  deleted_by     text,
  deleted_with   bigint,
  created_at     timestamptz not null default now(),
  created_by     text        not null,
  modified_at    timestamptz not null default now(),
  modified_by    text        not null,
  check (kind = 'dir' and path is not null and path_key is not null and num_nonnulls(type, sha256, variation_of) = 0
      or kind = 'asset' and path is null and path_key is null and num_nulls(type, sha256, size, mime, import_status) = 0),
  check ((locked_by is null) = (locked_at is null)),
  check ((variation_of is null) = (variation_type is null))
);
create unique index dam_entry_tid on dam_entry (kind, tid) where deleted_at is null;
create unique index dam_entry_name on dam_entry (coalesce(parent_id, rnc_id), name_key) where deleted_at is null;
create unique index dam_entry_path on dam_entry (path_key collate "C") where kind = 'dir' and deleted_at is null;
create index dam_entry_parent on dam_entry (parent_id, kind, id);
create index dam_entry_top on dam_entry (rnc_id, id) where parent_id is null;
create index dam_entry_sha256 on dam_entry (sha256) where sha256 is not null;
create index dam_entry_modified on dam_entry (modified_at) where kind = 'asset';
create index dam_entry_variation on dam_entry (variation_of) where variation_of is not null;
create index dam_entry_trash on dam_entry (deleted_at) where deleted_at is not null;
create trigger dam_entry_links after delete on dam_entry
  referencing old table as gone for each statement execute function forget_links();

-- Files an asset had before. The present one stands in dam_entry: there is one active file at a time.
create table asset_version (
  id               bigint      primary key default nextval('object_id_seq'),
  tid              text        not null unique,
  asset_id         bigint      not null references dam_entry on delete cascade,
  name             text        not null,
  type             text        not null,
  sha256           text        not null references blob,
  size             bigint      not null,
  mime             text        not null,
  width            integer,
  height           integer,
  comment          text,
  timeout_at       timestamptz,
  protected_after  timestamptz,
  protected_before timestamptz,
  file_date        timestamptz not null,
  file_user        text        not null,
  created_at       timestamptz not null default now(),
  created_by       text        not null
);
create index asset_version_asset on asset_version (asset_id, id);
create index asset_version_sha256 on asset_version (sha256);
create index asset_version_timeout on asset_version (timeout_at) where timeout_at is not null;

-- Previews belong to the content they were made from: `source` is no longer the asset's when a newer file came in.
create table asset_preview (
  asset_id bigint  not null references dam_entry on delete cascade,
  format   text    not null check (format in ('thumbnail', 'preview', 'fullsize')),
  source   text    not null,
  sha256   text    not null references blob,
  size     bigint  not null,
  mime     text    not null,
  width    integer not null,
  height   integer not null,
  primary key (asset_id, format)
);
create index asset_preview_sha256 on asset_preview (sha256);

-- Uploads in chunks: what was announced, and the chunks that have arrived.
create table upload (
  id         uuid        primary key,
  kind       text        not null check (kind in ('asset', 'version')),
  user_name  text        not null,
  path       text,
  tid        text,
  asset_id   bigint      references dam_entry on delete cascade,
  size       bigint      not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index upload_user on upload (user_name);
create index upload_expires on upload (expires_at);
create table upload_chunk (
  upload_id uuid    not null references upload on delete cascade,
  number    integer not null check (number between 0 and 9999),
  sha256    text    not null,
  size      bigint  not null,
  primary key (upload_id, number)
);
