-- Attributes of the types identifier, measure, price and richtext; units by family; identifiers that are unique.

alter table attr_def drop constraint attr_def_type_check, add constraint attr_def_type_check
  check (type in ('text', 'number', 'date', 'boolean', 'ref', 'table', 'identifier', 'measure', 'price', 'richtext'));
alter table dam_attr_def drop constraint dam_attr_def_type_check, add constraint dam_attr_def_type_check
  check (type in ('text', 'number', 'date', 'boolean', 'ref', 'table', 'identifier', 'measure', 'price', 'richtext'));

-- Units that administrators have made: base unit of the family = amount * factor + shift. Kontor knows the built-in ones.
alter table unit
  add column family   text,
  add column factor   double precision,
  add column shift    double precision,
  add column synonyms text[] not null default '{}';

insert into unit (code, kind, name)
select code, 'measure', jsonb_build_object('en_GB', en, 'de_DE', de)
from (values
  ('dm', 'Decimetre', 'Dezimeter'), ('yd', 'Yard', 'Yard'), ('mi', 'Mile', 'Meile'),
  ('mm²', 'Square millimetre', 'Quadratmillimeter'), ('ha', 'Hectare', 'Hektar'), ('ft²', 'Square foot', 'Quadratfuß'),
  ('cl', 'Centilitre', 'Zentiliter'), ('dl', 'Decilitre', 'Deziliter'), ('hl', 'Hectolitre', 'Hektoliter'),
  ('cm³', 'Cubic centimetre', 'Kubikzentimeter'), ('dm³', 'Cubic decimetre', 'Kubikdezimeter'), ('gal', 'US gallon', 'US-Gallone'),
  ('ms', 'Millisecond', 'Millisekunde'), ('wk', 'Week', 'Woche'), ('mo', 'Month', 'Monat'), ('yr', 'Year', 'Jahr'),
  ('°F', 'Degree Fahrenheit', 'Grad Fahrenheit'), ('mW', 'Milliwatt', 'Milliwatt'), ('MW', 'Megawatt', 'Megawatt'),
  ('PS', 'Metric horsepower', 'Pferdestärke'), ('hp', 'Horsepower', 'Pferdestärke (britisch)'), ('J', 'Joule', 'Joule'),
  ('kJ', 'Kilojoule', 'Kilojoule'), ('MJ', 'Megajoule', 'Megajoule'), ('cal', 'Calorie', 'Kalorie'), ('kcal', 'Kilocalorie', 'Kilokalorie'),
  ('hPa', 'Hectopascal', 'Hektopascal'), ('mbar', 'Millibar', 'Millibar'), ('kPa', 'Kilopascal', 'Kilopascal'),
  ('MPa', 'Megapascal', 'Megapascal'), ('psi', 'Pound per square inch', 'Pfund je Quadratzoll'),
  ('mV', 'Millivolt', 'Millivolt'), ('kV', 'Kilovolt', 'Kilovolt'), ('Ah', 'Ampere-hour', 'Amperestunde'),
  ('Ω', 'Ohm', 'Ohm'), ('kΩ', 'Kiloohm', 'Kiloohm'), ('MΩ', 'Megaohm', 'Megaohm'),
  ('kHz', 'Kilohertz', 'Kilohertz'), ('MHz', 'Megahertz', 'Megahertz'), ('GHz', 'Gigahertz', 'Gigahertz'),
  ('B', 'Byte', 'Byte'), ('kB', 'Kilobyte', 'Kilobyte'), ('MB', 'Megabyte', 'Megabyte'), ('GB', 'Gigabyte', 'Gigabyte'), ('TB', 'Terabyte', 'Terabyte'),
  ('KiB', 'Kibibyte', 'Kibibyte'), ('MiB', 'Mebibyte', 'Mebibyte'), ('GiB', 'Gibibyte', 'Gibibyte'), ('TiB', 'Tebibyte', 'Tebibyte'),
  ('m/s', 'Metre per second', 'Meter je Sekunde'), ('km/h', 'Kilometre per hour', 'Kilometer je Stunde'),
  ('mph', 'Mile per hour', 'Meile je Stunde'), ('kn', 'Knot', 'Knoten'), ('kN', 'Kilonewton', 'Kilonewton'),
  ('°', 'Degree', 'Grad'), ('‰', 'Per mille', 'Promille')
) as seed (code, en, de)
on conflict do nothing;

-- The values of attributes whose definition has format/unique: no two products, articles or variations have the same one.
create table unique_value (
  attribute  text   not null,
  value      text   not null,
  product_id bigint not null references product on delete cascade,
  constraint unique_value_taken primary key (attribute, value)
);
create index unique_value_product on unique_value (product_id);
create index attr_def_unique on attr_def (tid) where definition -> 'format' ->> 'unique' = 'true';

-- The texts of a stored value: of a list, of all locales, without tags.
create function value_texts(stored jsonb) returns setof text language sql immutable parallel safe as $$
  select distinct text #>> '{}' from jsonb_path_query(
    case when stored ? 'v' and stored ? 'tags' then stored -> 'v' else stored end,
    'strict $.** ? (@.type() == "string")') as text
$$;

-- The keys of values that are unique: attributes, and columns of tables.
create view unique_key as
  select tid as attribute, tid as key from attr_def where definition -> 'format' ->> 'unique' = 'true'
  union all
  select d.tid, t.tid || '/' || d.tid
  from attr_def d join attr_def t on t.type = 'table'
    and t.definition -> 'references' -> 'itm' @> jsonb_build_array(jsonb_build_object('value', d.tid))
  where d.definition -> 'format' ->> 'unique' = 'true';

create function keep_unique_values() returns trigger language plpgsql as $$
begin
  if not exists (select from attr_def where definition -> 'format' ->> 'unique' = 'true') then return null; end if;
  if tg_op = 'UPDATE' then
    delete from unique_value u using changed c
    where u.product_id = c.id and not exists (
      select from unique_key k cross join value_texts(c.vals -> k.key) as text
      where k.attribute = u.attribute and text = u.value);
  end if;
  insert into unique_value (attribute, value, product_id)
  select distinct k.attribute, text, c.id
  from changed c join unique_key k on c.vals ? k.key cross join value_texts(c.vals -> k.key) as text
  where not exists (
    select from unique_value u where u.attribute = k.attribute and u.value = text and u.product_id = c.id);
  return null;
end $$;
create trigger product_unique_inserted after insert on product
  referencing new table as changed for each statement execute function keep_unique_values();
create trigger product_unique_updated after update on product
  referencing new table as changed for each statement execute function keep_unique_values();
