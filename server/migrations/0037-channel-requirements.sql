-- The locales and attributes that a channel requires. A column that is null is inherited from the nearest channel above that
-- has some; otherwise all content locales and the attributes that categories mark as required count.
create table channel_requirement (
  project_id  bigint      primary key references project on delete cascade,
  locales     text[]      check (cardinality(locales) > 0),
  attributes  text[]      check (cardinality(attributes) > 0),
  modified_at timestamptz not null default now(),
  modified_by text        not null,
  check (locales is not null or attributes is not null)
);

-- The readiness of each channel on each day, for charts. It counts all products, whatever the rights of a reader are.
create table readiness_day (
  project_id bigint not null references project on delete cascade,
  locale     text   not null,
  day        date   not null,
  required   bigint not null,
  missing    bigint not null check (missing between 0 and required),
  primary key (project_id, locale, day)
);
create index readiness_day_day on readiness_day (day);

-- The widgets of a user's home page, in order. Null: the default ones.
alter table user_account add column home_widgets text[]
  check (cardinality(home_widgets) between 1 and 50 and octet_length(home_widgets::text) <= 4000);
