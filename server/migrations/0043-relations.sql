-- Relations between products, articles and variations: the types of their links, and the quantity of a link.

create table relation_type (
  id          bigint      primary key default nextval('object_id_seq'),
  tid         text        not null unique check (tid ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  -- a text per locale: seen from the source, and seen from the target
  label       jsonb       not null default '{}',
  inverse     jsonb       not null default '{}',
  -- the levels that may be at either end: 0 product, 1 article, 2 variation
  sources     smallint[]  not null default '{0,1,2}' check (sources <@ '{0,1,2}' and cardinality(sources) > 0),
  targets     smallint[]  not null default '{0,1,2}' check (targets <@ '{0,1,2}' and cardinality(targets) > 0),
  quantity    boolean     not null default false,
  pos         integer     not null default 0,
  modified_at timestamptz not null default now(),
  modified_by text        not null default 'system'
);

alter table link add column quantity numeric check (quantity > 0);
create index link_relation on link (type, from_id) where kind = 'productToProduct' and type <> '';

insert into relation_type (tid, label, inverse, quantity, pos)
select tid, jsonb_build_object('en_GB', en, 'de_DE', de, 'fr_FR', fr),
       jsonb_build_object('en_GB', en_inverse, 'de_DE', de_inverse, 'fr_FR', fr_inverse), quantity, pos
from (values
  ('Accessory',   'Accessories',  'Accessory of',    'Zubehör',      'Zubehör von',    'Accessoires',          'Accessoire de',        false, 0),
  ('Spare_Part',  'Spare parts',  'Spare part of',   'Ersatzteile',  'Ersatzteil von', 'Pièces de rechange',   'Pièce de rechange de', true,  1),
  ('Successor',   'Successors',   'Predecessors',    'Nachfolger',   'Vorgänger',      'Successeurs',          'Prédécesseurs',        false, 2),
  ('Up_Sell',     'Up-sells',     'Up-sell of',      'Upselling',    'Upselling von',  'Montée en gamme',      'Montée en gamme de',   false, 3),
  ('Alternative', 'Alternatives', 'Alternative to',  'Alternativen', 'Alternative zu', 'Alternatives',         'Alternative à',        false, 4),
  ('Bundle',      'Contains',     'Contained in',    'Enthält',      'Enthalten in',   'Contient',             'Contenu dans',         true,  5)
) as seed (tid, en, en_inverse, de, de_inverse, fr, fr_inverse, quantity, pos);
