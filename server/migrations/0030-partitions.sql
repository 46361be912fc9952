-- History, outbox and audit log are divided by time, so that old rows are removed by dropping a table. Each present table
-- becomes the default partition of a new one with the same name and columns: nothing is scanned or copied, so the locks are
-- short whatever the size, and the version before this one works on as before. The server then gives the default partition
-- an end and makes the partitions after it (core/partitions). Why there are no primary keys here: docs/scaling.md.
lock table outbox, history, audit_event in access exclusive mode;

-- Removing an identity also removes its sequence; the new one has the same name and continues the numbers.
select set_config('kontor.history', last_value || ' ' || is_called, true) from history_id_seq;
select set_config('kontor.outbox', last_value || ' ' || is_called, true) from outbox_seq_seq;

alter table history rename to history_default;
alter table history_default alter column id drop identity; -- of the table history
create table history (
  id        bigint      generated always as identity not null,
  object_id bigint      not null,
  data_type text        not null,
  action    text        not null,
  at        timestamptz not null default now(),
  user_name text        not null,
  changes   jsonb       not null default '{}'
) partition by range (at);
create index history_of_object on history (object_id, id);
alter table history attach partition history_default default;

drop trigger outbox_notify on outbox;
alter table outbox rename to outbox_default;
alter table outbox_default alter column seq drop identity;
create table outbox (
  seq       bigint      generated always as identity not null,
  xid       xid8        not null default pg_current_xact_id(),
  object_id bigint      not null,
  data_type text        not null,
  event     text        not null constraint outbox_event_check check (event in ('CREATE', 'UPDATE', 'DELETE')),
  at        timestamptz not null default now(),
  action    text
) partition by range (at);
create index outbox_by_xid on outbox (xid, seq);
create trigger outbox_notify after insert on outbox for each statement execute function notify_outbox();
alter table outbox attach partition outbox_default default;

select setval('history_id_seq', split_part(v, ' ', 1)::bigint, split_part(v, ' ', 2)::boolean),
  setval('outbox_seq_seq', split_part(w, ' ', 1)::bigint, split_part(w, ' ', 2)::boolean)
from current_setting('kontor.history') as v, current_setting('kontor.outbox') as w;

-- A row is put into its partition before triggers run, and a trigger cannot move it. So the time is a default now; the
-- trigger replaces it by the time at which it has the lock, unless a month has begun since.
drop trigger chain on audit_event;
drop trigger keep on audit_event;
alter table audit_event rename to audit_event_default;
create table audit_event (
  seq        bigint      not null,
  at         timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  actor      text        not null,
  client     text        not null,
  session    text        not null,
  address    text        not null,
  action     text        not null,
  object     text        not null,
  outcome    text        not null constraint audit_event_outcome_check check (outcome in ('success', 'failure')),
  detail     text        not null,
  support_id text        not null,
  previous   bytea       not null,
  hash       bytea       not null
) partition by range (at);
create index audit_event_by_action on audit_event (action, seq);
create index audit_event_by_actor on audit_event (actor, seq);
create index audit_event_by_time on audit_event (at);
create or replace function chain_audit_event() returns trigger language plpgsql as $$
declare
  last audit_event;
  field text;
  chained bytea;
  moment timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('audit_event'));
  select * into last from audit_event order by seq desc limit 1;
  moment := date_trunc('milliseconds', clock_timestamp());
  if date_trunc('month', new.at, 'UTC') = date_trunc('month', moment, 'UTC') then
    new.at := moment;
  elsif new.at is null or new.at not between moment - interval '1 hour' and moment then
    raise exception 'the time of an audit event is set by the database';
  end if;
  new.seq := coalesce(last.seq, 0) + 1;
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
create trigger keep before update or delete on audit_event for each row execute function refuse_change();
create trigger keep_all before truncate on audit_event for each statement execute function refuse_change();
alter table audit_event attach partition audit_event_default default;
