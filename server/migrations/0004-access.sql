-- What people may do, tokens they made for themselves, and the log of all that concerns access.

-- Groups carry roles to their members. Removing a group or a role only removes assignments.
create table user_group (
  name        text primary key check (name = btrim(name) and name <> '' and length(name) <= 255),
  description text not null default ''
);
create table group_role (
  group_name text not null references user_group on update cascade on delete cascade,
  role       text not null references role on update cascade on delete cascade,
  primary key (group_name, role)
);
create table group_member (
  group_name text not null references user_group on update cascade on delete cascade,
  user_id    uuid not null references user_account on delete cascade,
  primary key (group_name, user_id)
);
create index group_member_user on group_member (user_id);

-- A grant allows actions on a kind of object ('*' is every kind, or every action). Rules about attributes and locales
-- are {"only": [...]} or {"except": [...]}; none means all.
create table role_grant (
  id                  bigint generated always as identity primary key,
  role                text   not null references role on update cascade on delete cascade,
  kind                text   not null,
  actions             text[] not null check (cardinality(actions) > 0),
  visible_attributes  jsonb,
  editable_attributes jsonb,
  visible_locales     jsonb,
  editable_locales    jsonb
);
create index role_grant_role on role_grant (role);

-- The subtrees a grant is narrowed to. A tree that none of its rows names is open to it as a whole.
create table grant_scope (
  grant_id bigint not null references role_grant on delete cascade,
  tree     text   not null check (tree in ('node', 'dir', 'channel', 'keyword')),
  path     text   not null check (path ~ '^/.*[^/]$'),
  primary key (grant_id, tree, path)
);
create index grant_scope_path on grant_scope (tree, path);

insert into role_grant (role, kind, actions) values
  ('admin',  '*', '{*}'),
  ('editor', '*', '{read,create,update,delete,link,checkout}'),
  ('reader', '*', '{read}'),
  ('user',   '*', '{read,create,update,delete,link,checkout}');

create trigger tell_others after insert or update or delete on role_grant
  for each statement execute function tell_table('roles');
create trigger tell_others after insert or update or delete on grant_scope
  for each statement execute function tell_table('roles');

-- A subtree that is moved or renamed takes its grants along. To be put on every tree with a path.
create function move_scopes() returns trigger language plpgsql as $$
begin
  update grant_scope s set path = n.path from was o join now_is n on n.id = o.id
  where s.tree = tg_argv[0] and s.path = o.path and o.path <> n.path;
  return null;
end $$;
create trigger keyword_scopes after update on keyword
  referencing old table as was new table as now_is for each statement execute function move_scopes('keyword');

-- Tokens that people made for themselves. An access token has a session of its own within the one it was made in; an
-- offline token an offline session. The token itself is nowhere.
create table personal_token (
  id                 uuid        primary key default gen_random_uuid(),
  user_id            uuid        not null references user_account on delete cascade,
  name               text        not null check (name <> '' and length(name) <= 255),
  kind               text        not null check (kind in ('access', 'offline')),
  session_id         uuid        unique references user_session on delete cascade,
  offline_session_id uuid        unique references offline_session on delete cascade,
  created_at         timestamptz not null default now(),
  used_at            timestamptz,
  used_from          text,
  check (num_nonnulls(session_id, offline_session_id) = 1)
);
create index personal_token_user on personal_token (user_id, created_at);

-- The audit log. Every row carries the hash of the one before it; writers take turns, so that the chain has no forks.
-- A field goes into the hash with its length in bytes before it, so that no text can pass for two.
create table audit_event (
  seq        bigint      primary key,
  at         timestamptz not null,
  actor      text        not null,
  client     text        not null,
  session    text        not null,
  address    text        not null,
  action     text        not null,
  object     text        not null,
  outcome    text        not null check (outcome in ('success', 'failure')),
  detail     text        not null,
  support_id text        not null,
  previous   bytea       not null,
  hash       bytea       not null
);
create index audit_event_at on audit_event (at);
create index audit_event_actor on audit_event (actor, seq);
create index audit_event_action on audit_event (action, seq);

create function chain_audit_event() returns trigger language plpgsql as $$
declare
  last audit_event;
  field text;
  chained bytea;
begin
  perform pg_advisory_xact_lock(hashtext('audit_event'));
  select * into last from audit_event order by seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.at := date_trunc('milliseconds', clock_timestamp());
  new.previous := coalesce(last.hash, decode(repeat('00', 32), 'hex'));
  chained := new.previous;
  foreach field in array array[new.seq::text, (extract(epoch from new.at) * 1000)::bigint::text, new.actor, new.client,
    new.session, new.address, new.action, new.object, new.outcome, new.detail, new.support_id]
  loop
    chained := chained || convert_to(octet_length(field) || ':' || field, 'UTF8');
  end loop;
  new.hash := sha256(chained);
  return new;
end $$;
create trigger chain before insert on audit_event for each row execute function chain_audit_event();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only ever added to';
end $$;
create trigger keep before update or delete on audit_event for each row execute function refuse_change();
create trigger keep_all before truncate on audit_event for each statement execute function refuse_change();
