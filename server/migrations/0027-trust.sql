-- Refresh tokens that replace each other form a chain. Every sign-in begins one, so that the tabs of a browser, which share
-- a session, do not invalidate each other's tokens. rotated_at is the time of the last exchange: for some seconds the token
-- before it may be presented again, because its reply may have been lost.
create table refresh_chain (
  id         uuid        primary key default gen_random_uuid(),
  session_id uuid        not null references user_session on delete cascade,
  generation integer     not null default 0,
  rotated_at timestamptz
);
create index refresh_chain_session on refresh_chain (session_id);
alter table user_session drop column generation;

-- Networks from which a user signed in. Their failures are counted per network, so that failures from elsewhere do not
-- lock the user out there.
create table known_network (
  user_id uuid        not null references user_account on delete cascade,
  network text        not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, network)
);
create index known_network_seen on known_network (seen_at);
alter table sign_in_failure drop constraint sign_in_failure_kind_check,
  add constraint sign_in_failure_kind_check check (kind in ('user', 'known', 'address'));

-- The trees that a grant is narrowed in. A tree that is listed without paths in grant_scope is closed to the grant.
alter table role_grant add column narrowed text[] not null default '{}';
update role_grant g set narrowed = array(select distinct tree from grant_scope where grant_id = g.id);
