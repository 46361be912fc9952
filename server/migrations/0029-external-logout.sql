-- Sessions that an external identity provider has ended (OpenID Connect Back-Channel Logout 1.0), one row per logout token.
-- Access tokens of the session, or of the subject if the logout token names no session, that were issued before are refused.
-- The key makes every logout token usable once. Old rows are deleted when the tokens have expired.
create table external_logout (
  issuer      text        not null,
  jti         text        not null,
  subject     text,
  session     text,
  issued_at   timestamptz not null,
  received_at timestamptz not null default now(),
  primary key (issuer, jti),
  check (subject is not null or session is not null)
);
create index external_logout_session on external_logout (session, issued_at) where session is not null;
create index external_logout_subject on external_logout (subject, issued_at) where session is null;
create index external_logout_received on external_logout (received_at);
create trigger tell_others after insert on external_logout
  for each statement execute function tell_table('session');

-- The groups of the newest token, whose members have the roles of the groups with these names.
alter table reported_roles add column groups text[] not null default '{}';
create trigger tell_others after insert or update or delete on group_role
  for each statement execute function tell_table('roles');
