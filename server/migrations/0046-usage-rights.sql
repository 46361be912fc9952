-- Usage rights of files: licence, holder, where and when a file may be used. A file without a row may be used.

create table asset_usage (
  asset_id        bigint      primary key references dam_entry on delete cascade,
  licence         text,
  holder          text,
  credit_line     text,
  releases        text[]      not null default '{}',
  -- empty: not restricted. The tids of channels are kept when a channel is deleted, so that no right becomes wider
  territories     text[]      not null default '{}',
  channels        text[]      not null default '{}',
  media           text[]      not null default '{}',
  valid_from      timestamptz,
  valid_until     timestamptz,
  embargo_until   timestamptz,
  -- somebody with the right to do so allows to use the file anyway
  override_until  timestamptz,
  override_by     text,
  override_reason text,
  -- the warning that was sent last, in days before the end
  warned          smallint    check (warned in (30, 7, 1)),
  constraint asset_usage_period check (valid_from <= valid_until),
  constraint asset_usage_override check ((override_until is null) = (override_by is null) and (override_by is null) = (override_reason is null))
);
create index asset_usage_until on asset_usage (valid_until) where valid_until is not null;

-- The rights of an earlier file are kept with it and return with it.
alter table asset_version add column usage jsonb;
