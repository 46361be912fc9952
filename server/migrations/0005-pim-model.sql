-- The PIM model: attribute definitions, classifications, their nodes, and the attributes nodes give to products.

-- Every process keeps the model in memory and asks this one row whether it is still true. `version` rises with each
-- statement that changes the model and is stamped on the rows it writes, so that a refresh reads only those; what was
-- deleted is noted beside it. `xid` is the transaction that wrote last: what a transaction changed itself must not be
-- shared before it has committed.
create table pim_model (
  single  boolean primary key default true check (single),
  version bigint  not null,
  xid     xid8    not null
);
insert into pim_model (version, xid) values (1, pg_current_xact_id());
create table pim_model_gone (
  id      bigint primary key,
  version bigint not null
);
create index pim_model_gone_version on pim_model_gone (version);

create function pim_model_changes() returns trigger language plpgsql as $$
begin
  update pim_model set version = version + 1, xid = pg_current_xact_id();
  return null;
end $$;

create function pim_model_forgets() returns trigger language plpgsql as $$
begin
  insert into pim_model_gone (id, version) select gone.id, m.version from gone, pim_model m
  on conflict (id) do update set version = excluded.version;
  return null;
end $$;

create function pim_model_stamp() returns trigger language plpgsql as $$
begin
  new.version := (select version from pim_model);
  return new;
end $$;

-- `definition` is the rest of the message: names, tooltips, lists of values, validation, …
create table attr_def (
  id          bigint      primary key default nextval('object_id_seq'),
  tid         text        not null unique check (tid <> ''),
  type        text        not null check (type in ('text', 'number', 'date', 'boolean', 'ref', 'table')),
  localized   boolean     not null default false,
  multi       boolean     not null default false,
  definition  jsonb       not null default '{}',
  version     bigint      not null,
  created_at  timestamptz not null default now(),
  created_by  text        not null,
  modified_at timestamptz not null default now(),
  modified_by text        not null
);
create index attr_def_version on attr_def (version);

-- `name` holds a text per locale; the one under '' has none.
create table classification (
  id          bigint      primary key default nextval('object_id_seq'),
  tid         text        not null unique check (tid <> '' and tid !~ '/'),
  name        jsonb       not null default '{}',
  version     bigint      not null,
  created_at  timestamptz not null default now(),
  created_by  text        not null,
  modified_at timestamptz not null default now(),
  modified_by text        not null
);
create index classification_version on classification (version);

-- Nodes. `path` is the tids from the root down; a root carries the tid of its classification and is its only one.
-- References do not cascade: whoever deletes names every row, so that each gets its history.
create table node (
  id                bigint      primary key default nextval('object_id_seq'),
  classification_id bigint      not null references classification,
  parent_id         bigint      references node deferrable initially deferred,
  tid               text        not null check (tid <> '' and tid !~ '/'),
  name              jsonb       not null default '{}',
  path              text        not null unique deferrable initially immediate,
  position          bigint      not null default 0,
  version           bigint      not null,
  created_at        timestamptz not null default now(),
  created_by        text        not null,
  modified_at       timestamptz not null default now(),
  modified_by       text        not null,
  check (right(path, length(tid) + 1) = '/' || tid and (parent_id is not null or path = '/' || tid)),
  check (octet_length(path) <= 2000)
);
create unique index node_root on node (classification_id) where parent_id is null;
create index node_parent on node (parent_id, position);
create index node_classification on node (classification_id);
create index node_subtree on node (path collate "C");
create index node_version on node (version);

create trigger node_scopes after update on node
  referencing old table as was new table as now_is for each statement execute function move_scopes('node');

-- What a node says about an attribute; what is null here is said by a node above, or by the definition.
create table node_attribute (
  id           bigint      primary key default nextval('object_id_seq'),
  node_id      bigint      not null references node,
  attr_def_id  bigint      not null references attr_def,
  level        text        check (level ~ '^p?a?v?$' and level <> ''),
  inheritance  text        check (inheritance in ('visible', 'not_visible')),
  restriction  text        check (restriction in ('optional', 'required', 'mandatory')),
  option       text        check (option in ('READONLY', 'OVERWRITE', 'SYNCHRONIZED')),
  cardinality  integer     check (cardinality >= 1),
  default_val  jsonb,
  domain_vals  jsonb,
  domain_range jsonb,
  version      bigint      not null,
  created_at   timestamptz not null default now(),
  created_by   text        not null,
  modified_at  timestamptz not null default now(),
  modified_by  text        not null,
  unique (node_id, attr_def_id)
);
create index node_attribute_definition on node_attribute (attr_def_id);
create index node_attribute_version on node_attribute (version);

create trigger attr_def_changes before insert or update or delete on attr_def
  for each statement execute function pim_model_changes();
create trigger attr_def_stamp before insert or update on attr_def for each row execute function pim_model_stamp();
create trigger classification_changes before insert or update or delete on classification
  for each statement execute function pim_model_changes();
create trigger classification_stamp before insert or update on classification
  for each row execute function pim_model_stamp();
create trigger node_changes before insert or update or delete on node
  for each statement execute function pim_model_changes();
create trigger node_stamp before insert or update on node for each row execute function pim_model_stamp();
create trigger node_attribute_changes before insert or update or delete on node_attribute
  for each statement execute function pim_model_changes();
create trigger node_attribute_stamp before insert or update on node_attribute
  for each row execute function pim_model_stamp();
create trigger attr_def_forgets after delete on attr_def
  referencing old table as gone for each statement execute function pim_model_forgets();
create trigger classification_forgets after delete on classification
  referencing old table as gone for each statement execute function pim_model_forgets();
create trigger node_forgets after delete on node
  referencing old table as gone for each statement execute function pim_model_forgets();
create trigger node_attribute_forgets after delete on node_attribute
  referencing old table as gone for each statement execute function pim_model_forgets();
