-- Rules: operations on all objects that match a condition, by hand, on change or by a schedule. A run is a bulk_change.

create table rule (
  id          bigint      primary key,
  name        text        not null unique check (name <> '' and length(name) <= 255),
  kind        text        not null check (kind in ('product', 'asset')),
  -- what the user sent
  definition  jsonb       not null,
  -- attributes with @locale where one is meant, and /node, /project, /keyword, /asset, /product
  reads       text[]      not null,
  writes      text[]      not null,
  enabled     boolean     not null,
  on_change   boolean     not null,
  user_name   text        not null,
  principal   jsonb       not null,
  -- why it was switched off
  problem     text,
  next_at     timestamptz,
  -- the place in the outbox up to which changes were considered
  position    text,
  created_at  timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  modified_by text        not null
);

-- `rule` is kept when the rule is deleted, so that its runs can still be understood and undone.
alter table bulk_change
  add column rule_id bigint references rule on delete set null,
  add column rule    text;
create index bulk_change_rule on bulk_change (rule_id, created_at);

-- The name of the rule that made a change.
alter table history add column rule text;
