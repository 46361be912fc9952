-- Groups of product attributes. An attribute is in at most one group; its definition names the group and the place in it.

create table attr_group (
  id          bigint      primary key default nextval('object_id_seq'),
  tid         text        not null unique check (tid <> ''),
  -- a text per locale; the one under '' has none
  name        jsonb       not null default '{}',
  pos         integer     not null default 0,
  version     bigint      not null,
  modified_at timestamptz not null default now(),
  modified_by text        not null
);
create index attr_group_version on attr_group (version);
create trigger attr_group_changes before insert or update or delete on attr_group
  for each statement execute function pim_model_changes();
create trigger attr_group_stamp before insert or update on attr_group for each row execute function pim_model_stamp();
create trigger attr_group_forgets after delete on attr_group
  referencing old table as gone for each statement execute function pim_model_forgets();

alter table attr_def add column group_tid text generated always as (definition -> 'group' ->> 'tid') stored
  references attr_group (tid);
create index attr_def_group on attr_def (group_tid) where group_tid is not null;

-- The groups that a grant names beside attributes. A group cannot be deleted while a grant names it: without the group,
-- a grant that excludes it would show its attributes.
create table grant_attr_group (
  grant_id bigint not null references role_grant on delete cascade,
  tid      text   not null references attr_group (tid),
  primary key (grant_id, tid)
);
create index grant_attr_group_tid on grant_attr_group (tid);

-- Attributes that enter or leave a group change the rights of the roles that name it.
create function attr_group_rights() returns trigger language plpgsql as $$
begin
  if exists (select from grant_attr_group) then perform pg_notify('kontor_identity', 'roles'); end if;
  return null;
end $$;
create trigger attr_def_rights after insert or update or delete on attr_def
  for each statement execute function attr_group_rights();

-- The files that a channel requires of its products: how many, by the role of their links ('' for any role). A channel
-- without rows has those of the nearest channel above that has some.
create table channel_picture (
  project_id bigint   not null references project on delete cascade,
  role       text     not null check (length(role) <= 255),
  count      smallint not null check (count between 1 and 100),
  primary key (project_id, role)
);
