-- Translation: which texts have to be looked at again because the text that they were translated from has changed.

-- The locale that texts are written in first. Without one, it is the first locale of content.
alter table locale add column source boolean not null default false;
create unique index locale_source on locale (source) where source;

create table stale_text (
  -- the product, article or variation that has the value itself
  product_id bigint      not null references product on delete cascade,
  attr       text        not null,
  locale     text        not null,
  -- the locale whose text changed
  source     text        not null,
  since      timestamptz not null default now(),
  primary key (product_id, attr, locale)
);
