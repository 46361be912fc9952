-- Stored work (runs, transfers, processes, webhooks) names its user and acts with the rights that the user has when it acts.

-- An external identity provider reports roles in tokens only. These are the roles of the newest token that a user has
-- presented, per client, because a provider may give each client a part of a user's roles.
create table reported_roles (
  user_id     uuid        not null references user_account on delete cascade,
  client_id   text        not null,
  roles       text[]      not null,
  reported_at timestamptz not null,
  primary key (user_id, client_id)
);
insert into reported_roles (user_id, client_id, roles, reported_at)
select distinct on (u.id) u.id, '', array(select jsonb_array_elements_text(w.principal -> 'roles')), w.at
from user_account u
join (
  select principal, created_at as at from bulk_run
  union all select principal, created_at from transfer
  union all select principal, started_at from workflow_process
) w on w.principal ->> 'userId' = u.id::text
where u.issuer is not null and jsonb_typeof(w.principal -> 'roles') = 'array'
order by u.id, w.at desc;

update bulk_run set principal = principal - 'roles';
update transfer set principal = principal - 'roles';
update workflow_process set principal = principal - 'roles';

-- A digest of the rights with which an export was made: its file is offered only while its user has them.
alter table transfer add column rights text;

-- A webhook acts for the administrator who created, changed or enabled it last.
alter table webhook add column principal jsonb;
update webhook w set principal = jsonb_build_object('userId', u.id, 'userName', w.created_by)
from webhook old left join user_account u on u.name = old.created_by where old.id = w.id;
alter table webhook alter column principal set not null;

-- Checked-out assets are few; a directory that is moved looks for those below it.
create index dam_entry_locked on dam_entry (parent_id) where locked_by is not null;

-- Other processes drop a deleted user from their caches too.
create or replace function tell_row() returns trigger language plpgsql as $$
begin
  perform pg_notify('kontor_identity', tg_argv[0] || ' ' || coalesce(new.id, old.id));
  return null;
end $$;
drop trigger tell_others on user_account;
create trigger tell_others after update of enabled, permission_epoch or delete on user_account
  for each row execute function tell_row('user');
