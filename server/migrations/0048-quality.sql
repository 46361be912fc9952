-- Quality of products in channels, and forbidden words of glossaries.

-- The checks that count in a channel, and in the channels below it without checks of their own.
create table channel_quality (
  project_id  bigint      primary key references project on delete cascade,
  checks      jsonb       not null check (jsonb_typeof(checks) = 'array' and jsonb_array_length(checks) between 1 and 200),
  modified_at timestamptz not null default now(),
  modified_by text        not null
);

-- What becomes of a text into which somebody writes a forbidden word of the glossary.
alter table glossary add column enforcement text not null default 'off' check (enforcement in ('off', 'warn', 'refuse'));

-- Forbidden words are part of the model: writers of products hold its lock, so a word that is forbidden at the time of their
-- commit is known to them. words_version is the version of the model at the last change of a forbidden word.
alter table pim_model add column words_version bigint not null default 1;

create function has_forbidden(forbidden boolean, translations jsonb) returns boolean language sql immutable parallel safe
  return forbidden or jsonb_path_exists(translations, '$.*.forbidden ? (@ == true)');

create function words_change() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'glossary_entry' then
    if not exists (select from changed where has_forbidden(forbidden, translations)) then return null; end if;
  end if;
  perform pg_advisory_xact_lock(hashtext('pim_model'));
  update pim_model set version = version + 1, words_version = version + 1, xid = pg_current_xact_id();
  return null;
end $$;
create trigger glossary_entry_words_inserted after insert on glossary_entry
  referencing new table as changed for each statement execute function words_change();
create trigger glossary_entry_words_deleted after delete on glossary_entry
  referencing old table as changed for each statement execute function words_change();
create trigger glossary_entry_words_before after update on glossary_entry
  referencing old table as changed for each statement execute function words_change();
create trigger glossary_entry_words_after after update on glossary_entry
  referencing new table as changed for each statement execute function words_change();
create trigger glossary_enforcement after update of enforcement on glossary for each row
  when (new.enforcement is distinct from old.enforcement) execute function words_change();

-- The values of attributes of the type identifier, to find products with the same one.
create table identifier_value (
  attribute  text   not null,
  value      text   not null,
  product_id bigint not null references product on delete cascade,
  primary key (attribute, value, product_id)
);
create index identifier_value_product on identifier_value (product_id);

-- The keys of identifiers: attributes, and columns of tables.
create view identifier_key as
  select tid as attribute, tid as key from attr_def where type = 'identifier'
  union all
  select d.tid, t.tid || '/' || d.tid
  from attr_def d join attr_def t on t.type = 'table'
    and t.definition -> 'references' -> 'itm' @> jsonb_build_array(jsonb_build_object('value', d.tid))
  where d.type = 'identifier';

create function keep_identifiers() returns trigger language plpgsql as $$
begin
  if not exists (select from attr_def where type = 'identifier') then return null; end if;
  if tg_op = 'UPDATE' then
    delete from identifier_value i using changed c
    where i.product_id = c.id and not exists (
      select from identifier_key k cross join value_texts(c.vals -> k.key) as text
      where k.attribute = i.attribute and text = i.value);
  end if;
  insert into identifier_value (attribute, value, product_id)
  select distinct k.attribute, text, c.id
  from changed c join identifier_key k on c.vals ? k.key cross join value_texts(c.vals -> k.key) as text
  on conflict do nothing;
  return null;
end $$;
create trigger product_identifiers_inserted after insert on product
  referencing new table as changed for each statement execute function keep_identifiers();
create trigger product_identifiers_updated after update on product
  referencing new table as changed for each statement execute function keep_identifiers();
insert into identifier_value (attribute, value, product_id)
select distinct k.attribute, text, p.id
from identifier_key k join product p on p.vals ? k.key cross join value_texts(p.vals -> k.key) as text;

-- The words of a name in one order, without accents and punctuation: names with the same key look like the same product.
create function name_key(name text) returns text language sql immutable parallel safe as $$
  select coalesce(string_agg(word, ' ' order by word collate "C"), '')
  from regexp_split_to_table(
    regexp_replace(lower(normalize(name, NFKD)), '[\u0300-\u036f]', '', 'g'), '[^[:alnum:]]+') as word
  where word <> ''
$$;
create index product_text_name on product_text (name_key(split_part(key, chr(1), 1)));
