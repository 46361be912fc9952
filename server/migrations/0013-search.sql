-- What the search service keeps in the database: everything else it has is made from the records and can be made again.

-- Whether changes reach an index; one that is not named here is kept up to date.
create table search_index (
  name            text        primary key check (name <> ''),
  updates_enabled boolean     not null
);

-- What an administrator lets searches begin with.
create table search_configuration (
  id          bigint      primary key default nextval('object_id_seq'),
  identifier  text        not null unique check (identifier <> '' and length(identifier) <= 255),
  index_name  text        not null,
  content     jsonb       not null,
  modified_at timestamptz not null default now(),
  modified_by text        not null
);

-- Searches that users keep. What they search for is kept as it was sent.
create table stored_search (
  id          bigint      primary key default nextval('object_id_seq'),
  user_name   text        not null,
  name        text        not null check (name <> ''),
  search      jsonb       not null,
  index_name  text,
  config_id   bigint      references search_configuration on delete set null,
  created_at  timestamptz not null default now(),
  modified_at timestamptz not null default now()
);
create index stored_search_user on stored_search (user_name, name);
create index stored_search_config on stored_search (config_id) where config_id is not null;

-- What users searched for, once each; the latest are kept (search/history).
create table search_history (
  id          bigint      primary key default nextval('object_id_seq'),
  user_name   text        not null,
  context     text        not null default '',
  text        text        not null check (text <> ''),
  used_at     timestamptz not null default now(),
  constraint search_history_text unique (user_name, context, text)
);
create index search_history_used on search_history (user_name, context, used_at desc);
