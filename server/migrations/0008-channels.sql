-- Channels (called projects in messages), product extension objects, and what both are made by.

-- Kinds of channels. `attr_defs` is a list of definitions as rows of attr_def are: what a channel of the kind can say.
create table project_type (
  id          bigint      primary key default nextval('object_id_seq'),
  tid         text        not null unique check (tid <> ''),
  name        jsonb       not null default '{}',
  attr_defs   jsonb       not null default '[]',
  config      jsonb       not null default '{}',
  meta        jsonb       not null default '[]',
  created_at  timestamptz not null default now(),
  created_by  text        not null,
  modified_at timestamptz not null default now(),
  modified_by text        not null
);
insert into project_type (tid, name, attr_defs, created_by, modified_by)
select kind, jsonb_build_object('en_GB', max(kind_en), 'de_DE', max(kind_de)),
  jsonb_agg(jsonb_build_object('id', nextval('object_id_seq'), 'tid', tid, 'type', type, 'localized', localized, 'multi', multi,
    'definition', jsonb_strip_nulls(jsonb_build_object(
      'name', jsonb_build_object('itm', jsonb_build_array(
        jsonb_build_object('value', en, 'loc', 'en_GB'), jsonb_build_object('value', de, 'loc', 'de_DE'))),
      'multiValued', case when multi then jsonb_build_object('value', 'true') end,
      'domainVals', case when list is not null then jsonb_build_object('allowNewValue', 'false', 'sortDirection', 'MANUAL',
        'domainVal', (select jsonb_agg(jsonb_build_object('tid', word, 'itm', jsonb_build_array(jsonb_build_object('value', word))))
          from unnest(string_to_array(list, ',')) as word)) end))) order by n),
  'system', 'system'
from (values
  (1,  'Catalogue',   'Print catalogue', 'Druckkatalog', 'TITLE',        'text',    true,  false, 'Title',        'Titel',         null),
  (2,  'Catalogue',   'Print catalogue', 'Druckkatalog', 'PUBLISHED_ON', 'date',    false, false, 'Published on', 'Erscheint am',  null),
  (3,  'Catalogue',   'Print catalogue', 'Druckkatalog', 'PAGES',        'number',  false, false, 'Pages',        'Seiten',        null),
  (4,  'Catalogue',   'Print catalogue', 'Druckkatalog', 'PAPER_SIZE',   'text',    false, false, 'Paper size',   'Papierformat',  'A3,A4,A5,A6'),
  (5,  'Catalogue',   'Print catalogue', 'Druckkatalog', 'LANGUAGES',    'text',    false, true,  'Languages',    'Sprachen',      'de,en,es,fr,it,nl,pl'),
  (6,  'Webshop',     'Web shop',        'Webshop',      'TITLE',        'text',    true,  false, 'Title',        'Titel',         null),
  (7,  'Webshop',     'Web shop',        'Webshop',      'DESCRIPTION',  'text',    true,  false, 'Description',  'Beschreibung',  null),
  (8,  'Webshop',     'Web shop',        'Webshop',      'ADDRESS',      'text',    false, false, 'Address',      'Adresse',       null),
  (9,  'Webshop',     'Web shop',        'Webshop',      'CURRENCY',     'text',    false, false, 'Currency',     'Währung',       'EUR,GBP,USD,CHF'),
  (10, 'Webshop',     'Web shop',        'Webshop',      'ONLINE',       'boolean', false, false, 'Online',       'Online',        null),
  (11, 'Marketplace', 'Marketplace',     'Marktplatz',   'TITLE',        'text',    true,  false, 'Title',        'Titel',         null),
  (12, 'Marketplace', 'Marketplace',     'Marktplatz',   'SELLER',       'text',    false, false, 'Seller',       'Händlerkennung', null),
  (13, 'Marketplace', 'Marketplace',     'Marktplatz',   'COUNTRIES',    'text',    false, true,  'Countries',    'Länder',        'AT,CH,DE,ES,FR,GB,IT,NL,PL'),
  (14, 'Marketplace', 'Marketplace',     'Marktplatz',   'FEE',          'number',  false, false, 'Fee (%)',      'Gebühr (%)',    null)
) as seed (n, kind, kind_en, kind_de, tid, type, localized, multi, en, de, list)
group by kind order by min(n);

-- Channels. `path` is the tids from the root down. Writers hold the tree's advisory lock, so that moves cannot make a
-- cycle and paths cannot go wrong. Brothers are in the order of order_sequence, which is sparse: new ones come 2^20 after
-- the last, so that there is room between two of them.
create table project (
  id             bigint      primary key default nextval('object_id_seq'),
  tid            text        not null unique check (tid <> '' and tid !~ '/'),
  parent_id      bigint      references project deferrable initially deferred,
  type_id        bigint      not null references project_type,
  name           text        not null check (name <> ''),
  path           text        not null check (path ~ '^/'),
  order_sequence bigint      not null,
  meta           jsonb       not null default '[]',
  vals           jsonb       not null default '{}',
  created_at     timestamptz not null default now(),
  created_by     text        not null,
  modified_at    timestamptz not null default now(),
  modified_by    text        not null,
  constraint project_name unique nulls not distinct (parent_id, name) deferrable initially immediate,
  constraint project_path_length check (octet_length(path) <= 2000)
);
create index project_order on project (parent_id, order_sequence, id);
create index project_subtree on project (path collate "C");
create index project_type_id on project (type_id);
create trigger project_links after delete on project
  referencing old table as gone for each statement execute function forget_links();
create trigger project_scopes after update on project
  referencing old table as was new table as now_is for each statement execute function move_scopes('channel');

-- Briefings of channels, by configuration and locale; '' holds for every locale that has none of its own.
create table briefing (
  project_id  bigint      not null references project on delete cascade,
  config_tid  text        not null default '',
  locale      text        not null default '',
  layouts     jsonb       not null,
  modified_at timestamptz not null default now(),
  modified_by text        not null,
  primary key (project_id, config_tid, locale)
);

-- Templates of product extension objects. `attributes` holds, by the tid of an attribute, how it behaves in the output.
create table peo_template (
  id          bigint      primary key default nextval('object_id_seq'),
  tid         text        not null unique check (tid <> ''),
  name        text        not null check (name <> ''),
  attributes  jsonb       not null default '{}',
  meta        jsonb       not null default '[]',
  created_at  timestamptz not null default now(),
  created_by  text        not null,
  modified_at timestamptz not null default now(),
  modified_by text        not null
);
insert into peo_template (tid, name, created_by, modified_by) values ('Default', 'Default', 'system', 'system');

-- Product extension objects: what differs of a product for one output. `vals` holds only what differs. They go with
-- their product.
create table peo (
  id          bigint      primary key default nextval('object_id_seq'),
  tid         text        not null unique check (tid <> ''),
  name        text        not null check (name <> ''),
  product_id  bigint      not null references product on delete cascade,
  template_id bigint      not null references peo_template,
  is_default  boolean     not null default false,
  meta        jsonb       not null default '[]',
  vals        jsonb       not null default '{}',
  created_at  timestamptz not null default now(),
  created_by  text        not null,
  modified_at timestamptz not null default now(),
  modified_by text        not null
);
create index peo_product on peo (product_id, id);
create index peo_template_id on peo (template_id);
create index peo_modified on peo (modified_at);
create index peo_name on peo (name);
create trigger peo_links after delete on peo
  referencing old table as gone for each statement execute function forget_links();
