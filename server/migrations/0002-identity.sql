-- Who people are, what they may be, how they signed in, and what the OpenID provider has to remember meanwhile.

create table role (
  name        text primary key check (name ~ '^[a-z][a-z0-9_-]{0,63}$'),
  description text not null
);
insert into role (name, description) values
  ('admin',  'May do everything, and the only one for classification nodes, indexes and users.'),
  ('editor', 'May read and change all content.'),
  ('reader', 'May read all content.'),
  ('user',   'May use the platform: read and change content, send messages, keep searches.');

-- name_key is the name as it is compared (NFC, lower case): made by the application, so that it does not depend on the
-- database's locale. Without a password_hash nobody can sign in by password; one that somebody else chose must be changed
-- at the next sign-in by browser. permission_epoch rises with every change of roles; an access token carries the one it
-- was issued under. Who comes from another identity provider is known by its issuer and the subject there.
create table user_account (
  id               uuid        primary key default gen_random_uuid(),
  name             text        not null,
  name_key         text        not null unique,
  email            text,
  display_name     text,
  password_hash    text,
  must_change_password boolean not null default false,
  enabled          boolean     not null default true,
  permission_epoch integer     not null default 1,
  issuer           text,
  subject          text,
  created_at       timestamptz not null default now(),
  unique (issuer, subject),
  check ((issuer is null) = (subject is null))
);

create table user_role (
  user_id uuid not null references user_account on delete cascade,
  role    text not null references role on update cascade on delete cascade,
  primary key (user_id, role)
);

-- Clients. The console's has no secret. One with a secret, of which only the SHA-256 is kept (it is random and long),
-- acts for itself as its service user, and signs people in when it names redirect addresses.
create table oidc_client (
  id            text        primary key check (id ~ '^[\x21-\x7e]{1,255}$'),
  name          text,
  secret_hash   bytea,
  service_user  uuid        references user_account,
  redirect_uris text[]      not null default '{}',
  enabled       boolean     not null default true,
  created_at    timestamptz not null default now(),
  check ((secret_hash is null) = (service_user is null))
);

-- One row per sign-in and client. An access token names its row (sid) and is worth nothing once the row has ended.
-- browser is the provider's own session (single sign-on), absent when no browser took part. A session made within another
-- (parent_id) ends with it. generation counts the refresh tokens that were exchanged while rotation was on.
create table user_session (
  id               uuid        primary key default gen_random_uuid(),
  user_id          uuid        not null references user_account on delete cascade,
  client_id        text        not null references oidc_client on delete cascade,
  browser          text,
  parent_id        uuid        references user_session on delete cascade,
  generation       integer     not null default 0,
  authenticated_at timestamptz not null default now(),
  created_at       timestamptz not null default now(),
  expires_at       timestamptz not null,
  ended_at         timestamptz
);
create index user_session_parent on user_session (parent_id) where parent_id is not null;
create unique index user_session_browser on user_session (browser, client_id) where ended_at is null;
create index user_session_user on user_session (user_id, expires_at) where ended_at is null;
create index user_session_expires on user_session (expires_at);

-- What stands behind an offline token. It outlives sessions: session_id is the one its access tokens name at present,
-- and a new one is started when that has ended. Unused for 30 days, it is void.
create table offline_session (
  id               uuid        primary key default gen_random_uuid(),
  user_id          uuid        not null references user_account on delete cascade,
  client_id        text        not null references oidc_client on delete cascade,
  scope            text        not null,
  session_id       uuid        references user_session on delete set null,
  generation       integer     not null default 0,
  authenticated_at timestamptz not null,
  created_at       timestamptz not null default now(),
  used_at          timestamptz not null default now(),
  ended_at         timestamptz
);
create index offline_session_user on offline_session (user_id, used_at) where ended_at is null;
create index offline_session_session on offline_session (session_id);
create index offline_session_used on offline_session (used_at);

-- The provider's short-lived records: authorization codes, browser sessions, sign-ins under way. Their ids open doors,
-- so only the SHA-256 is kept. The payload is json, not jsonb, because a client's state may hold any character.
create table oidc_model (
  model       text        not null,
  id_hash     bytea       not null,
  uid         text,
  account_id  uuid        references user_account on delete cascade,
  payload     json        not null,
  expires_at  timestamptz not null,
  consumed_at timestamptz,
  primary key (model, id_hash)
);
create index oidc_model_uid on oidc_model (uid) where uid is not null;
create index oidc_model_account on oidc_model (account_id) where account_id is not null;
create index oidc_model_expires on oidc_model (expires_at);

-- Keys that sign tokens. Of each algorithm there is one to come (active_at is null), one that signs (the latest
-- active_at), and those that signed before, published until retired_at. The private part is sealed with the master key.
-- The HS256 key never leaves the server: it signs refresh tokens, which only the server reads.
create table signing_key (
  kid        text        primary key,
  algorithm  text        not null check (algorithm in ('ES256', 'RS256', 'HS256')),
  sealed     bytea       not null,
  created_at timestamptz not null default now(),
  active_at  timestamptz,
  retired_at timestamptz
);

-- Failed sign-ins by user name and by network address, whether or not such a user exists.
create table sign_in_failure (
  kind         text        not null check (kind in ('user', 'address')),
  key          text        not null,
  failures     integer     not null,
  since        timestamptz not null default now(),
  locked_until timestamptz,
  primary key (kind, key)
);
create index sign_in_failure_since on sign_in_failure (since);

-- What other processes remember is told to them here: by triggers, so that no writer can forget it.
create function tell_row() returns trigger language plpgsql as $$
begin
  perform pg_notify('kontor_identity', tg_argv[0] || ' ' || new.id);
  return null;
end $$;
create function tell_table() returns trigger language plpgsql as $$
begin
  perform pg_notify('kontor_identity', tg_argv[0]);
  return null;
end $$;
create trigger tell_others after insert or update or delete on signing_key
  for each statement execute function tell_table('keys');
create trigger tell_others after update of enabled, permission_epoch on user_account
  for each row execute function tell_row('user');
create trigger tell_others after update of ended_at on user_session
  for each row when (old.ended_at is null and new.ended_at is not null) execute function tell_row('session');

create function end_within() returns trigger language plpgsql as $$
begin
  update user_session set ended_at = new.ended_at where parent_id = new.id and ended_at is null;
  return null;
end $$;
create trigger end_within after update of ended_at on user_session
  for each row when (old.ended_at is null and new.ended_at is not null) execute function end_within();
