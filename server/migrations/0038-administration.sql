-- What administrators maintain in the console: units and currencies of attributes; and roles that are being tried.

-- Attributes name their unit in the meta item `unit` of their definition.
create table unit (
  code text primary key check (code ~ '^[^\s/](.{0,18}[^\s/])?$'),
  kind text not null check (kind in ('measure', 'currency')),
  name jsonb not null default '{}'
);

insert into unit (code, kind, name)
select code, kind, jsonb_build_object('en_GB', en, 'de_DE', de)
from (values
  ('mg', 'measure', 'Milligram', 'Milligramm'), ('g', 'measure', 'Gram', 'Gramm'), ('kg', 'measure', 'Kilogram', 'Kilogramm'),
  ('t', 'measure', 'Tonne', 'Tonne'), ('oz', 'measure', 'Ounce', 'Unze'), ('lb', 'measure', 'Pound (mass)', 'Pfund (Masse)'),
  ('µm', 'measure', 'Micrometre', 'Mikrometer'), ('mm', 'measure', 'Millimetre', 'Millimeter'),
  ('cm', 'measure', 'Centimetre', 'Zentimeter'), ('m', 'measure', 'Metre', 'Meter'), ('km', 'measure', 'Kilometre', 'Kilometer'),
  ('in', 'measure', 'Inch', 'Zoll'), ('ft', 'measure', 'Foot', 'Fuß'), ('cm²', 'measure', 'Square centimetre', 'Quadratzentimeter'),
  ('m²', 'measure', 'Square metre', 'Quadratmeter'), ('ml', 'measure', 'Millilitre', 'Milliliter'), ('l', 'measure', 'Litre', 'Liter'),
  ('m³', 'measure', 'Cubic metre', 'Kubikmeter'), ('s', 'measure', 'Second', 'Sekunde'), ('min', 'measure', 'Minute', 'Minute'),
  ('h', 'measure', 'Hour', 'Stunde'), ('d', 'measure', 'Day', 'Tag'), ('W', 'measure', 'Watt', 'Watt'), ('kW', 'measure', 'Kilowatt', 'Kilowatt'),
  ('Wh', 'measure', 'Watt-hour', 'Wattstunde'), ('kWh', 'measure', 'Kilowatt-hour', 'Kilowattstunde'),
  ('V', 'measure', 'Volt', 'Volt'), ('mA', 'measure', 'Milliampere', 'Milliampere'), ('A', 'measure', 'Ampere', 'Ampere'),
  ('mAh', 'measure', 'Milliampere-hour', 'Milliamperestunde'), ('N', 'measure', 'Newton', 'Newton'), ('Nm', 'measure', 'Newton metre', 'Newtonmeter'),
  ('bar', 'measure', 'Bar', 'Bar'), ('Pa', 'measure', 'Pascal', 'Pascal'), ('Hz', 'measure', 'Hertz', 'Hertz'),
  ('dB', 'measure', 'Decibel', 'Dezibel'), ('lm', 'measure', 'Lumen', 'Lumen'), ('K', 'measure', 'Kelvin', 'Kelvin'),
  ('°C', 'measure', 'Degree Celsius', 'Grad Celsius'), ('%', 'measure', 'Per cent', 'Prozent'), ('g/m²', 'measure', 'Gram per square metre', 'Gramm je Quadratmeter'),
  ('pcs', 'measure', 'Pieces', 'Stück'),
  ('EUR', 'currency', 'Euro', 'Euro'), ('USD', 'currency', 'US dollar', 'US-Dollar'), ('GBP', 'currency', 'Pound sterling', 'Pfund Sterling'),
  ('CHF', 'currency', 'Swiss franc', 'Schweizer Franken'), ('JPY', 'currency', 'Japanese yen', 'Japanischer Yen'),
  ('PLN', 'currency', 'Polish zloty', 'Polnischer Złoty'), ('CZK', 'currency', 'Czech koruna', 'Tschechische Krone'),
  ('SEK', 'currency', 'Swedish krona', 'Schwedische Krone'), ('DKK', 'currency', 'Danish krone', 'Dänische Krone'),
  ('NOK', 'currency', 'Norwegian krone', 'Norwegische Krone'), ('HUF', 'currency', 'Hungarian forint', 'Ungarischer Forint'),
  ('CAD', 'currency', 'Canadian dollar', 'Kanadischer Dollar'), ('AUD', 'currency', 'Australian dollar', 'Australischer Dollar')
) as seed (code, kind, en, de);

-- The grants of a role that an administrator tries before it is stored. Unlogged, because it is only kept for an hour.
create unlogged table role_trial (
  id         uuid        primary key default gen_random_uuid(),
  roles      text[]      not null,
  grants     jsonb       not null,
  created_at timestamptz not null default now()
);
