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
  check ((variation_of is null) = (variation_type is null)),
  check (octet_length(path_key) <= 2000)
);
create unique index dam_entry_tid on dam_entry (tid, kind) where deleted_at is null;
create unique index dam_entry_name on dam_entry (coalesce(parent_id, rnc_id), name_key) where deleted_at is null;
create index dam_entry_path on dam_entry (path_key collate "C") where path_key is not null and deleted_at is null;
create index dam_entry_parent on dam_entry (parent_id, kind, id);
create index dam_entry_top on dam_entry (rnc_id, id) where parent_id is null;
create index dam_entry_sha256 on dam_entry (sha256) where sha256 is not null;
create index dam_entry_modified on dam_entry (modified_at) where kind = 'asset';
create index dam_entry_file on dam_entry (name_key) where kind = 'asset';
create index dam_entry_deleted_with on dam_entry (deleted_with) where deleted_with is not null;
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

-- What can be said of assets and directories. `definition` is the rest of the message, as in attr_def; its meta item
-- assetTypes names the types of files that have the attribute (DIR: directories), all of them when absent.
create table dam_attr_def (
  id          bigint      primary key default nextval('object_id_seq'),
  tid         text        not null unique check (tid <> ''),
  type        text        not null check (type in ('text', 'number', 'date', 'boolean', 'ref', 'table')),
  localized   boolean     not null default false,
  multi       boolean     not null default false,
  definition  jsonb       not null default '{}',
  created_at  timestamptz not null default now(),
  created_by  text        not null,
  modified_at timestamptz not null default now(),
  modified_by text        not null
);
insert into dam_attr_def (tid, type, localized, multi, definition, created_by, modified_by)
select tid, type, localized, multi, jsonb_strip_nulls(jsonb_build_object(
    'name', jsonb_build_object('itm', jsonb_build_array(
      jsonb_build_object('value', en, 'loc', 'en_GB'), jsonb_build_object('value', de, 'loc', 'de_DE'))),
    'multiValued', case when multi then jsonb_build_object('value', 'true') end,
    'meta', case when types is not null then
      jsonb_build_object('itm', jsonb_build_array(jsonb_build_object('key', 'assetTypes', 'value', types))) end,
    'domainVals', case when list is not null then jsonb_build_object('allowNewValue', 'false', 'sortDirection', 'MANUAL',
      'domainVal', (select jsonb_agg(jsonb_build_object('tid', word, 'itm', jsonb_build_array(jsonb_build_object('value', word))))
        from unnest(string_to_array(list, ',')) as word)) end)),
  'system', 'system'
from (values
  ('TITLE',           'text',    true,  false, 'Title',            'Titel',               null,                  null),
  ('DESCRIPTION',     'text',    true,  false, 'Description',      'Beschreibung',        null,                  null),
  ('CAPTION',         'text',    true,  false, 'Caption',          'Bildunterschrift',    'IMG,VID,C360,C3D',    null),
  ('ALT_TEXT',        'text',    true,  false, 'Alternative text', 'Alternativtext',      'IMG,VID,C360,C3D',    null),
  ('TAGS',            'text',    true,  true,  'Tags',             'Schlagwörter',        null,                  null),
  ('COLORS',          'text',    false, true,  'Colours',          'Farben',              'IMG,VID',             null),
  ('AUTHOR',          'text',    false, true,  'Author',           'Urheber',             null,                  null),
  ('CREDIT',          'text',    false, false, 'Credit',           'Bildnachweis',        null,                  null),
  ('SOURCE',          'text',    false, false, 'Source',           'Quelle',              null,                  null),
  ('COPYRIGHT',       'text',    false, false, 'Copyright',        'Copyright',           null,                  null),
  ('LICENSE',         'text',    false, false, 'Licence',          'Lizenz',              null,                  'own,royaltyFree,rightsManaged,editorial,publicDomain'),
  ('LICENSE_EXPIRES', 'date',    false, false, 'Licence expires',  'Lizenz endet',        null,                  null),
  ('USAGE_TERMS',     'text',    true,  false, 'Terms of use',     'Nutzungsbedingungen', null,                  null),
  ('IS_FINAL',        'boolean', false, false, 'Final',            'Endgültig',           null,                  null),
  ('TAKEN_AT',        'date',    false, false, 'Taken at',         'Aufgenommen am',      'IMG,VID,AUD',         null),
  ('CITY',            'text',    false, false, 'City',             'Ort',                 'IMG,VID,AUD',         null),
  ('COUNTRY',         'text',    false, false, 'Country',          'Land',                'IMG,VID,AUD',         null),
  ('LATITUDE',        'number',  false, false, 'Latitude',         'Breitengrad',         'IMG,VID',             null),
  ('LONGITUDE',       'number',  false, false, 'Longitude',        'Längengrad',          'IMG,VID',             null),
  ('CAMERA',          'text',    false, false, 'Camera',           'Kamera',              'IMG,VID',             null),
  ('LENS',            'text',    false, false, 'Lens',             'Objektiv',            'IMG,VID',             null),
  ('DURATION',        'number',  false, false, 'Duration (s)',     'Dauer (s)',           'VID,AUD',             null),
  ('PAGES',           'number',  false, false, 'Pages',            'Seiten',              'PDF,OFFICE,PREPRESS,DOC,LAYOUT', null)
) as seed (tid, type, localized, multi, en, de, types, list);
