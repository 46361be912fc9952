-- A second factor beside the password: an authenticator app that shows codes made from a shared secret and the time.
-- The secret is sealed with the master key. Until it is confirmed with a code, it is not asked for. last_step is the
-- period of the last code that was accepted: a code is good once.
create table second_factor (
  user_id      uuid        primary key references user_account on delete cascade,
  sealed       bytea       not null,
  last_step    bigint      not null default 0,
  created_at   timestamptz not null default now(),
  confirmed_at timestamptz
);

-- For the day the app is lost: each is good once. They are random and long enough for a plain hash.
create table recovery_code (
  user_id uuid        not null references second_factor on delete cascade,
  hash    bytea       not null,
  used_at timestamptz,
  primary key (user_id, hash)
);
