-- The former versions of a mapping profile, so that a change can be taken back. The current one is in transfer_profile.
create table transfer_profile_version (
  name        text        not null references transfer_profile on delete cascade,
  version     integer     not null check (version > 0),
  profile     jsonb       not null,
  modified_at timestamptz not null,
  modified_by text        not null,
  primary key (name, version)
);
alter table transfer_profile add column version integer not null default 1 check (version > 0);
