-- Who people are, what they may be, how they signed in, and what the OpenID provider has to remember meanwhile.

create table role (
  name        text primary key check (name ~ '^[a-z][a-z0-9_-]{0,63}$'),
  description text not null
);
insert into role (name, description) values
  ('admin', 'May do everything, and the only one for classification nodes, indexes and users.'),
  ('user',  'May use the platform.');

-- name_key is the name as it is compared (NFC, lower case): made by the application, so that it does not depend on the
-- database's locale. Without a password_hash nobody can sign in by password. permission_epoch rises with every change of
-- roles; an access token carries the one it was issued under.
create table user_account (
  id               uuid        primary key default gen_random_uuid(),
  name             text        not null,
  name_key         text        not null unique,
  email            text,
  display_name     text,
  password_hash    text,
  enabled          boolean     not null default true,
  permission_epoch integer     not null default 1,
  created_at       timestamptz not null default now()
);

create table user_role (
  user_id uuid not null references user_account on delete cascade,
  role    text not null references role on update cascade on delete cascade,
  primary key (user_id, role)
);

create table oidc_client (
  id         text        primary key,
  enabled    boolean     not null default true,
  created_at timestamptz not null default now()
);

-- One row per sign-in and client. An access token names its row (sid) and is worth nothing once the row has ended.
-- browser is the provider's own session (single sign-on), absent when no browser took part.
create table user_session (
  id               uuid        primary key default gen_random_uuid(),
  user_id          uuid        not null references user_account on delete cascade,
  client_id        text        not null references oidc_client on delete cascade,
  browser          text,
  authenticated_at timestamptz not null default now(),
  created_at       timestamptz not null default now(),
  expires_at       timestamptz not null,
  ended_at         timestamptz
);
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

-- Keys that sign tokens; the newest of an algorithm signs, all that are not retired are published. The HS256 key never
-- leaves the server: it signs refresh tokens, which only the server reads.
create table signing_key (
  kid         text        primary key,
  algorithm   text        not null check (algorithm in ('ES256', 'RS256', 'HS256')),
  private_jwk jsonb       not null,
  created_at  timestamptz not null default now(),
  retired_at  timestamptz
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
